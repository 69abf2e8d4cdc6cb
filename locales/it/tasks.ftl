# Timer, sveglie, promemoria, richieste ripetute, sorveglianze: come si chiamano, quando arrivano, cosa si dice allora.

task-moment = { $near ->
    [today] oggi,{ " " }
    [tomorrow] domani,{ " " }
    [yesterday] ieri,{ " " }
   *[other] { "" }
}{ $weekday ->
    [1] lunedì
    [2] martedì
    [3] mercoledì
    [4] giovedì
    [5] venerdì
    [6] sabato
   *[7] domenica
} { $day } { $month ->
    [1] gennaio
    [2] febbraio
    [3] marzo
    [4] aprile
    [5] maggio
    [6] giugno
    [7] luglio
    [8] agosto
    [9] settembre
    [10] ottobre
    [11] novembre
   *[12] dicembre
}{ $year ->
    [none] { "" }
   *[other] { " " }{ $year }
}, ore { $time }
task-never = mai
task-unit = { $count } { $unit ->
    [days] { $count ->
        [one] giorno
       *[other] giorni
    }
    [hours] { $count ->
        [one] ora
       *[other] ore
    }
    [minutes] { $count ->
        [one] minuto
       *[other] minuti
    }
   *[seconds] { $count ->
        [one] secondo
       *[other] secondi
    }
}
task-span-two = { $first } e { $second }
task-every = ogni { $span }
task-daily = ogni giorno alle { $time }
task-on-days = ogni { $days } alle { $time }
task-each-days = ogni { $days } giorni alle { $time }
task-again = più volte
task-ending = { $rhythm }, fino a { $moment }
task-weekdays = giorno feriale
task-weekday = { $weekday ->
    [1] lunedì
    [2] martedì
    [3] mercoledì
    [4] giovedì
    [5] venerdì
    [6] sabato
   *[7] domenica
}
task-weekday-and = { $first }{ $is ->
    [last] { " " }e
   *[before] ,
} { $rest }
task-label = { $kind ->
    [timer] Timer
    [alarm] Sveglia
    [reminder] Promemoria
    [request] Richiesta
    [watcher] Sorveglianza
   *[job] Lavoro
}{ $named ->
    [no] { "" }
   *[yes] { " " }“{ $name }”
}
task-next = { $moment }
task-next-again = { $rhythm }; la prossima { $moment }
task-left = mancano { $span }, fino a { $moment }
task-paused = in pausa
task-paused-with = in pausa, mancano { $span }
task-rings = aspetta un “fatto”
task-stopped = fermata, perché non è riuscita tre volte di fila
task-over = finita
task-clock-skips = A quell'ora l'orologio salta avanti: sarà il primo momento dopo.
task-clock-twice = Quella notte l'orologio mostra due volte quell'ora; prendo la prima.

task-no-deadline = Prima di che giorno? Mi baso sul giorno nominato dalla mia ultima risposta. Chiedimelo prima, per esempio «quando scade il contratto della palestra?», e poi di' «ricordamelo due settimane prima che scada».
task-when-unclear = { $when ->
    [none] Devo sapere quando.
   *[other] Non capisco quando sia esattamente “{ $when }”.
} Dillo così: “domani alle 9”, “fra 20 minuti” oppure “ogni lunedì alle 8”.
task-ahead-unclear = { $when ->
    [none] È troppo poco prima.
   *[other] Quanto prima è «{ $when }»?
} Dillo così: «15 minuti prima»; almeno { $minutes } minuti.
task-when-past = Quell'ora è già passata. Quando deve essere invece?
task-too-often = Tra due esecuzioni automatiche passa almeno { $minutes ->
    [one] un minuto
   *[other] { $minutes } minuti
}. Scegli un tempo più lungo.
task-too-many = Ne hai già { $limit }, quanti ne tengo. Prima chiudine qualcuno: “mostra i miei promemoria”.
task-none = { $kind ->
    [timer] Nessun timer è in corso.
    [alarm] Nessuna sveglia è impostata.
    [reminder] Non hai promemoria.
    [request] Niente viene eseguito da solo per te.
    [watcher] Non sto sorvegliando niente.
   *[any] Non c'è niente di impostato: né timer, né sveglie, né promemoria.
}
task-none-called = { $kind ->
    [timer] Nessun timer
    [alarm] Nessuna sveglia
    [reminder] Nessun promemoria
    [request] Nessuna richiesta
    [watcher] Nessuna sorveglianza
   *[any] Niente
} si chiama “{ $name }”.
task-which = Ce ne sono { $count }: { $names }. Quale?
task-none-fits = Non c'è niente di impostato che corrisponda. “Cosa ho in programma” mostra tutto.
task-query-missing = Che cosa devo fare allora? Dillo insieme all'ora.
task-query-unknown = Non so fare “{ $request }”, né adesso né dopo. Se devo solo dirtelo, chiedimi di ricordartelo.
task-watch-nowhere = La cartella { $folder } non c'è, perciò non c'è ancora nulla da sorvegliare. Creala prima, o dimmene un'altra.
task-watch-gone = { $count ->
    [one] Una riga non c'è più.
   *[other] { $count } righe non ci sono più.
}
task-watch-unknown = Non so cercare questo (“{ $request }”). Posso sorvegliare una cartella in attesa di nuovi file, un file o una pagina che cambia, che cosa fa un dispositivo, o quanto è pieno il disco.
task-changed-meanwhile = Nel frattempo è cambiato, quindi l'ho lasciato com'è. Guardalo e ridillo.
task-run-host-only = Solo il padrone di casa può farlo partire subito. Parte alla sua ora.
task-cannot = Così com'è, con { $name } non si può: { $action ->
    [pause] non è in corso.
    [resume] non era in pausa.
   *[other] non è un timer.
}
task-nothing-rings = Non è suonato niente che aspetti una risposta.
task-timer-too-short = Al timer resta meno tempo di così. Annullalo se deve finire.
task-last = l'ultima volta { $moment }: { $outcome }
task-never-yet = finora mai
task-no-history = Finora non è successo niente da solo.
task-run = { $state ->
    [running] in corso
    [done] fatto
    [quiet] niente di nuovo
    [failed] non riuscito
    [timed_out] troppo lungo
    [cut_off] interrotto
    [missed] perso
   *[skipped] saltato
}
task-undo-gone = Nel frattempo non c'è più.

firing-timer = ⏰ Timer{ $named ->
    [no] { "" }
   *[yes] { " " }“{ $name }”
}: tempo scaduto dopo { $span }.
firing-alarm = ⏰ { $named ->
    [no] Sveglia: sono le { $time }.
   *[yes] { $name }: sono le { $time }.
}
firing-reminder = 🔔 { $said ->
    [no] Ecco il promemoria che volevi.
   *[yes] { $words }
}
firing-told = 💬 { $name }: { $words }
firing-late = Arriva in ritardo: era per { $moment }.
firing-missed = Ero spento e questo è andato perso: { $label }, { $moment }.
firing-stopped = { $label } non è riuscita tre volte di fila, quindi l'ho fermata. Che cosa ne faccio?
firing-runs = { $count ->
    [one] 1 esecuzione
   *[other] { $count } esecuzioni
} nelle tue ore di silenzio; ecco com’è andata.
firing-done = Fatto.
firing-again = Va bene, di nuovo { $moment }.
firing-answered-before = Hai già risposto.
firing-over = È passato: è stato cambiato, o è suonato di nuovo.
firing-goes-on = Va avanti; la prossima { $moment }.
firing-rests = Sta ferma finché non dici “riprendi”.
firing-deleted = Non c'è più.
button-task-done = ✅ Fatto
button-task-later = ⏰ +10 min
button-task-tomorrow = 📅 Domani
button-task-go-on = ▶ Avanti
button-task-pause = ⏸ Pausa
button-task-delete = 🗑 Elimina

me-quiet = Sto in silenzio { $hours }: sveglie, timer e promemoria arrivano, tutto il resto aspetta la fine.
me-quiet-off = Da ora niente ore di silenzio.
me-quiet-how = Scrivilo così: /me quiet 22-7, oppure /me quiet off.
