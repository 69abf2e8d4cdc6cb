## Quello che lo scheduler e i lavori della casa dicono di sé.

firing-cut-off = Il processo è terminato mentre era in corso.
firing-broken-off = Nel frattempo metnos è stato chiuso. Continua al prossimo avvio.
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
job-backup = È stata fatta una copia di tutto ({ $megabytes } MB). { $count ->
    [one] Si conserva una copia.
   *[other] Si conservano { $count } copie.
}

job-translate = { $count ->
    [one] È stato tradotto un testo
   *[other] Sono stati tradotti { $count } testi
}, { $refused ->
    [0] nessuno è stato scartato
    [one] uno è stato scartato
   *[other] { $refused } sono stati scartati
}, e { $waiting } aspettano ancora.
job-translate-nothing = Nessun testo aspetta una traduzione.
job-translate-no-model = { $waiting ->
    [one] Un testo aspetta
   *[other] { $waiting } testi aspettano
} una traduzione, e non si è potuto chiedere al modello.

jobs-line = { $name } ({ $schedule }): { $next }; { $last }
jobs-next = prossimo { $time }
jobs-no-next = quando serve
jobs-stopped = fermo, perché non è riuscito troppe volte; «metnos jobs run» lo fa ripartire
jobs-never = mai eseguito
jobs-run = { $time } { $state }
jobs-run-said = { $time } { $state }. { $line }
jobs-past = { $name }: { $run }
jobs-no-history = Nessun lavoro è ancora stato eseguito.
jobs-unknown = Non c'è un lavoro di nome «{ $name }». «metnos jobs» li mostra.
jobs-busy = «{ $name }» è appena stato cambiato. Riprova.
jobs-still-running = «{ $name }» è ancora in corso. «metnos jobs history» mostrerà com'è andata.
jobs-running = in corso
jobs-done = fatto
jobs-quiet = niente da fare
jobs-failed = non riuscito
jobs-timed-out = troppo lungo
jobs-cut-off = interrotto
jobs-missed = mancato
jobs-skipped = saltato
doctor-job-failed = Il lavoro «{ $name }» non è riuscito { $times ->
    [one] l'ultima volta
   *[other] le ultime { $times } volte
}. { $reason } «metnos jobs run { $name }» lo riprova.
