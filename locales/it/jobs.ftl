## Quello che lo scheduler e i lavori della casa dicono di sé.

firing-cut-off = Il processo è terminato mentre era in corso.
firing-too-long = Ha impiegato più di { $seconds } s ed è stato interrotto.
firing-broke = Un errore del programma lo ha interrotto.

job-store-failed = Il database ha rifiutato: { $reason }
job-disk-failed = Il disco ha rifiutato: { $reason }
job-questions = { $count ->
    [0] Nessuna domanda è rimasta senza risposta.
    [one] Una domanda è rimasta senza risposta ed è scaduta.
   *[other] { $count } domande sono rimaste senza risposta e sono scadute.
}
job-retention = { $count ->
    [0] Niente era abbastanza vecchio da essere dimenticato.
    [one] Una voce finita da tempo è stata dimenticata.
   *[other] { $count } voci finite da tempo sono state dimenticate.
}
job-turn-logs = { $packed ->
    [one] Un giorno del registro dei turni è stato compresso,
   *[other] { $packed } giorni del registro dei turni sono stati compressi,
} { $forgotten ->
    [one] uno è stato rimosso.
   *[other] { $forgotten } sono stati rimossi.
}
job-database = Il database è integro.
job-database-compacted = Il database è integro ed è stato ridotto.
job-database-damaged = Il database è danneggiato: { $reason }. Conserva l’ultima copia buona.
job-reembedding = { $count ->
    [0] Ogni richiesta ricordata è nota al modello di embedding di oggi.
    [one] Una richiesta ricordata è stata resa nota al modello di embedding di oggi.
   *[other] { $count } richieste ricordate sono state rese note al modello di embedding di oggi.
}
job-reembedding-failed = Il modello di embedding non ha risposto: { $reason }
job-backup = È stata fatta una copia di tutto. { $count ->
    [one] Si conserva una copia.
   *[other] Si conservano { $count } copie.
}
