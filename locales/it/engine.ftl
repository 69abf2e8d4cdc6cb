# Quello che dice la cascata: risposte fisse, note sotto una risposta, vicoli ciechi.

answer-time = { $hour ->
    [1] È l'{ $time }.
   *[other] Sono le { $time }.
}
answer-date = Oggi è { $weekday ->
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
} { $year }.
answer-day-of = { $tense ->
    [past] Era
   *[ahead] È
} { $weekday ->
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
} { $year }.
answer-days-until = { $days ->
    [0] È oggi,
    [one] Manca un giorno: è
   *[other] Mancano { $days } giorni: è
} { $weekday ->
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
} { $year }.
answer-weeks-until = { $weeks ->
    [one] Manca una settimana
   *[other] Mancano { $weeks } settimane
}{ $days ->
    [0] { "" }
    [one] { " " }e un giorno
   *[other] { " " }e { $days } giorni
}: è { $weekday ->
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
} { $year }.
answer-days-since = { $days ->
    [0] È oggi,
    [one] È passato un giorno: era
   *[other] Sono passati { $days } giorni: era
} { $weekday ->
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
} { $year }.
answer-time-until = { $hours ->
    [0] { $minutes ->
        [one] Manca un minuto
       *[other] Mancano { $minutes } minuti
    }
    [one] Manca un'ora{ $minutes ->
        [0] { "" }
        [one] { " " }e un minuto
       *[other] { " " }e { $minutes } minuti
    }
   *[other] Mancano { $hours } ore{ $minutes ->
        [0] { "" }
        [one] { " " }e un minuto
       *[other] { " " }e { $minutes } minuti
    }
}: { $time }.
answer-year = Siamo nel { $year }.
answer-month = Siamo a { $month ->
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
} { $year }.
answer-week = È la settimana { $week } del { $year }.
hello-back = { $hour ->
    [4] Buongiorno
    [5] Buongiorno
    [6] Buongiorno
    [7] Buongiorno
    [8] Buongiorno
    [9] Buongiorno
    [10] Buongiorno
    [11] Buongiorno
    [12] Buongiorno
    [18] Buonasera
    [19] Buonasera
    [20] Buonasera
    [21] Buonasera
    [22] Buonasera
    [23] Buonasera
   *[other] Ciao
}! Cosa ti serve? Con /help vedi cosa so fare.
you-are-welcome = Prego! Sono qui quando ti serve.
bye-back = A presto! Sono qui quando ti serve.
good-night-back = Buonanotte! Sono qui quando ti serve.
who-are-you = Sono metnos, l'assistente di casa. Vivo sul tuo computer, e quello che mi dici resta lì. /help mostra cosa so fare.
status =
    Posso usare { $tools } strumenti{ $refused ->
        [0] { "" }
       *[other] { " " }({ $refused } rifiutati, vedi “metnos doctor”)
    }. Mi hai chiesto { $turns ->
        [one] una cosa
       *[other] { $turns } cose
    }, { $memory } con risposta a memoria.
    Ricordo { $fastpaths } richieste e { $autopaths } modi di fare. Autonomia: { $autonomy }. { $model } { $next }
status-no-task = Nulla è in programma.
status-next-task = { $count ->
    [one] Una cosa deve accadere:
   *[other] { $count } cose devono accadere; la prossima:
} { $label }, { $moment }.
status-model-online = Il modello linguistico è online.
status-model-none = Nessun modello linguistico è collegato.
status-model-up = Il modello linguistico risponde.
status-model-down = Il modello linguistico adesso non risponde.
autonomy-same = L'autonomia è già { $level }.
autonomy-lowered = Fatto: da adesso l'autonomia è { $level }.
autonomy-raise-needs-command = Per alzare l'autonomia non basta un messaggio. Sul computer, esegui: metnos autonomy { $level } { $actor }

answer-nothing-to-show = Fatto.
answer-nothing-to-do = Non ho trovato nulla che corrisponda, quindi non ho cambiato niente.
answer-nothing-found = Non ho trovato nulla.
answer-value-missing = Non c'è “{ $name }” in quello che ho ricevuto.
answer-and-more = { $count ->
    [one] … e un altro.
   *[other] … e altri { $count }.
}
note-truncated = Ho guardato solo i primi { $used }; ce ne sono altri.
note-truncated-of = Ho guardato solo { $used } di { $total }.
note-not-all-searched = Non ho guardato dappertutto: è troppo, è troppo in profondità o non si può aprire. Dimmi una cartella e guardo lì.
note-unreadable = { $count ->
    [one] Un file o una cartella non si è potuto aprire: quello che contiene qui manca.
   *[other] { $count } file o cartelle non si sono potuti aprire: quello che contengono qui manca.
}
note-text-cut = Il testo è più lungo: mostro solo i primi { $shown } caratteri.
nearest-find = «trova { $path }»
nearest-own = «{ $request }»
nearest-read = «leggi { $path }»
nearest-tool = «{ $purpose }»
note-near-taken = Niente si chiama «{ $said }», quindi questo è { $name }, il più vicino.
note-nearest = Questo lo so fare: { $request }.
note-some-failed = { $count ->
    [one] Uno non ha funzionato.
   *[other] { $count } non hanno funzionato.
} { $first }{ $others ->
    [0] { "" }
   *[other] { " " }Nemmeno: { $names }{ $more ->
        [0] .
        [one] { "" } e un altro.
       *[other] { "" } e altri { $more }.
    }
}

progress-about-seconds = { $what } Di solito ci vogliono circa { $count } s.
progress-about-minutes = { $what } Di solito { $count ->
    [one] ci vuole circa un minuto
   *[other] ci vogliono circa { $count } minuti
}.
progress-planning = Preparo un piano…
progress-reading = Leggo…
progress-searching = Cerco…
progress-writing = Scrivo…
progress-moving = Sposto…
progress-deleting = Cancello…
progress-describing = Riassumo…
progress-working = Ci lavoro…
clarify-intent = Non sono sicuro di cosa intendi con “{ $request }”. Cosa devo fare, e con che cosa?

stopped-cap-steps = Servivano più passi di quanti me ne concedo, quindi mi sono fermato. Chiedimene una parte più piccola.
stopped-cap-same-executor = Stavo facendo sempre la stessa cosa, quindi mi sono fermato. Chiedimene una parte più piccola.
stopped-loop-break = Lo stesso passo è fallito due volte allo stesso modo, quindi mi sono fermato. Dimmelo in un altro modo.
stopped-needs-inputs = Devo sapere su che cosa. Scrivi il file, la cartella o l'indirizzo.
stopped-ask = Mi serve una tua risposta prima di continuare.
stopped-awaiting = Aspetto qualcosa prima di continuare.
stopped-error = Ho dovuto fermarmi.
stopped-answer = Fatto.

# La persona ha detto di fermarsi.
stop-said = Mi sono fermato.
stop-nothing-done = Mi sono fermato. Non ho cambiato niente.
stop-after = Mi sono fermato. Prima avevo { $done }; { $undo ->
    [all] con “annulla” torna tutto come prima.
    [part] con “annulla” torna indietro quello che si può.
   *[none] questo non si può annullare.
}
stop-and = { $first } e { $next }
stop-did = { $verb ->
    [move] spostato { $things }
    [write] scritto { $things }
    [create] creato { $things }
    [delete] cancellato { $things }
    [send] inviato { $things }
    [install] installato { $things }
    [order] ordinato { $things }
   *[other] cambiato { $things }
}
stop-things = { $object ->
    [files] { $count } file
    [dirs] { $count ->
        [one] 1 cartella
       *[other] { $count } cartelle
    }
   *[other] { $count ->
        [one] 1 cosa
       *[other] { $count } cose
    }
}
stop-some = { $object ->
    [files] dei file
    [dirs] delle cartelle
    [tasks] un timer, una sveglia, un promemoria o una richiesta
   *[other] qualcosa
}
stop-unknown = Ero nel mezzo di un cambiamento e non posso sapere se è stato fatto. Non lo ripeto: dai un'occhiata tu.

terminator-answer = { $cause } { $action }
terminator-partly-done = { $count ->
    [one] Una cosa era già stata fatta; non l'ho ripetuta. Con “annulla” torna come prima.
   *[other] { $count } cose erano già state fatte; non ho ripetuto nulla. Con “annulla” torna tutto come prima.
}
terminator-unknown-words = Non so cosa fare con “{ $words }”.
terminator-not-understood = Non ho capito cosa devo fare.
terminator-no-tool = Non ho nessuno strumento per farlo.
terminator-no-tool-for = Questa parte non la so fare: “{ $words }”.
terminator-no-domain = { $object ->
        [messages] Non so ancora leggere o mandare mail e messaggi.
        [events] Non so ancora guardare il calendario, né segnarci appuntamenti.
        [contacts] Non ho ancora una rubrica: né numeri di telefono né indirizzi dei contatti.
        [tasks] Qui non so mettere timer, sveglie o promemoria: gli strumenti per farlo mancano dal catalogo.
        [devices] Non arrivo ancora a luci, riscaldamento e altri dispositivi.
        [places] Non so ancora cercare luoghi come negozi, farmacie o ristoranti.
        [location] Non so ancora dire la posizione: non so dove ti trovi.
       *[other] Non ho nessuno strumento per questo.
    }
terminator-model-down = Il modello linguistico non risponde, e senza non riesco a capire come fare.
terminator-model-down-for = Il modello linguistico non risponde, e senza non riesco a capire questa parte: “{ $words }”.
terminator-no-calls-left = Per oggi le tue chiamate al modello sono finite, e senza modello non riesco a capire come fare.
terminator-no-lexicon = Senza un modello linguistico capisco solo inglese e italiano.
terminator-empty-catalog = Non ho nessuno strumento (catalogo vuoto).
terminator-only-excluded = L'unico modo che conosco è quello che mi hai detto di non usare.
terminator-no-schedule = Non capisco quando debba accadere, quindi non ho fatto nulla.
terminator-no-watchers = Ho capito, ma non ho ancora sorveglianti: non ho cambiato nulla.
terminator-several-things = Sono più cose insieme, e qui riesco a capirne solo una alla volta.
terminator-no-plan-for = Per questa parte non ho trovato un modo sicuro: “{ $words }”. Non ho cambiato nulla.
terminator-no-valid-plan = Non ho trovato un piano che stia in piedi, e non ho cambiato nulla.
terminator-rephrase = Dimmelo in un altro modo: cosa fare, e con quale file, cartella o indirizzo.
terminator-rephrase-or-again = Dimmelo in un altro modo, oppure scegli ↺ sotto questa risposta: allora lo uso di nuovo.
terminator-ask-for-now = Metti prima il momento, come “domani alle 9 …” oppure “ogni lunedì alle 8 …”, o chiedimelo quando ti serve.
terminator-one-by-one = Mandamele una per una.
terminator-request-tool = L'ho segnato tra le cose che mancano; /help dice cosa so fare.
terminator-noted = L'ho segnato tra le cose che mancano. Con /help vedi cosa so fare.
terminator-start-model = “metnos doctor” mostra cosa non va. Quando è di nuovo acceso, tocca ↺: ci riprovo.
terminator-set-up-model = Chiedimelo in una di queste, oppure dammi un modello linguistico: il README dice come.
terminator-tell-host-and-again = Dillo a chi gestisce metnos; quando è a posto, chiedimelo di nuovo o tocca ↺.
terminator-one-by-one-or-model = Mandamele una per una. Con un modello linguistico potrei farle insieme; il README dice come aggiungerne uno.
terminator-after-midnight = Dopo mezzanotte ce ne sono altre; quello che so già fare continua a funzionare. Il proprietario può cambiarlo.
terminator-run-doctor = Esegui “metnos doctor” per vedere perché.

hosted-unknown = Non ho “{ $tool }”.
undo-left = { $why }{ $others ->
    [0] { "" }
    [one] { " " }Anche un'altra cosa non si è potuta annullare.
   *[other] { " " }Anche altre { $others } cose non si sono potute annullare.
}{ $goes_on ->
    [yes] { " " }Scrivi di nuovo “annulla” per annullare quello che avevo fatto prima.
   *[no] { "" }
}
undo-impossible = L'ultima cosa che ho fatto ({ $tools }) non si può annullare.
undo-not-the-rest = Ho fatto solo questo: ho lasciato fuori «{ $rest }». Chiedimelo a parte.
undo-not-all = Ho annullato solo l'ultima richiesta. Di' ancora «annulla» per quella prima.
undo-nothing = Non c'è niente da annullare.
undo-not-the-last = Non ho annullato niente: non è la mia ultima modifica. L'ultima è stata «{ $request }»; di' «annulla» per quella, e ancora per quella prima.
undo-not-the-last-unknown = Non ho annullato niente: non è la mia ultima modifica. Di' «annulla» per l'ultima, e ancora per quella prima.
note-left-aside = Questa parte di quello che hai detto non l'ho usata: { $words }.
note-from-model = Sono parole del modello: nessuno le ha verificate.
note-rejected-before = L'ultima volta lo avevi segnato con ✗. Non ho trovato un altro modo, quindi ho fatto lo stesso.
retry-no-other-way = Non c'è un altro modo di farlo, quindi ora non ho fatto niente. Scrivilo di nuovo se lo vuoi un'altra volta.
scratchpad-gone = Non lo conservo più. Chiedimelo di nuovo.
store-failed = Non riesco a raggiungere il mio database, quindi mi sono fermato. “metnos doctor” dice di più.
note-model-trouble = Una nota: le risposte del modello sono state inutilizzabili più volte di fila. `metnos doctor` mostra cosa non va; intanto mi affido alla mia lettura.
