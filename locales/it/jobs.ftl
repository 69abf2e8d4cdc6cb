## Quello che lo scheduler e i lavori della casa dicono di sé.

firing-cut-off = Il processo è terminato mentre era in corso.
