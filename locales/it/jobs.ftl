## Quello che lo scheduler e i lavori della casa dicono di sé.

firing-cut-off = Il processo è terminato mentre era in corso.
firing-too-long = Ha impiegato più di { $seconds } s ed è stato interrotto.
firing-broke = Un errore del programma lo ha interrotto.
