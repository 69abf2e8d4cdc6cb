# Che cosa ha fatto la memoria mentre nessuno chiedeva, e che cosa le si può dire.

digest-learned-head = Imparato:
digest-learned = { $item } · «{ $request }»: d'ora in poi questo genere di cose lo faccio a memoria. Chiesto finora { $uses ->
    [one] una volta
   *[other] { $uses } volte
}.
digest-learned-faster = Ci voleva { $before }, ora { $after }; risparmiati finora: { $saved }.
digest-learned-how = Qualcosa è sbagliato? «annulla» e il suo nome, per esempio «annulla a1», lo toglie; «tieni a1» lo lascia com'è. /digest weekly o /digest off: mi fai parlare meno.
digest-no-time = niente
digest-milliseconds = { $count } ms
digest-seconds = { $count } s
digest-minutes = { $count ->
    [one] un minuto
   *[other] { $count } minuti
}
digest-wanted-head = Chiesto, e non ho saputo farlo:
digest-wanted = «{ $request }», { $times ->
    [one] una volta
   *[other] { $times } volte
}{ $people ->
    [one] { "" }
   *[other] { " " }da { $people } persone
}
digest-broken = «{ $name }» non ha funzionato, { $times ->
    [one] una volta
   *[other] { $times } volte
}: { $why }
digest-broken-silently = non ha detto niente.
digest-idle-soon = { $item } · Nessuno usa { $name } da un mese. Fra due settimane lo tolgo; basta un uso, e resta.
digest-idle = { $item } · Nessuno usava { $name } da tanto, e l'ho tolto. /proposals approve { $item } lo fa di nuovo.
watchdog-warning = { $programs ->
    [0] { $guests ->
        [one] C'è un ospite
       *[other] Ci sono { $guests } ospiti
    }
   *[other] { $guests ->
        [0] Ci sono { $programs } strumenti di altri
        [one] Ci sono un ospite e { $programs } strumenti di altri
       *[other] Ci sono { $guests } ospiti e { $programs } strumenti di altri
    }
} in questa casa. Quello che possono toccare è limitato dalla sandbox, che è { $mode }; «metnos doctor» dice di più.
digest-failed = { $times ->
    [one] Una richiesta non è arrivata in fondo
   *[other] { $times } richieste non sono arrivate in fondo
}, per esempio «{ $request }».
digest-removed-head = Dimenticato:
digest-removed = { $item } · { $name }: { $reason }
digest-removed-more = { $count ->
    [one] … e un'altra cosa.
   *[other] … e altre { $count } cose.
}
digest-removed-how = Per ricordarne una di nuovo entro una settimana: «ricorda { $item }».
digest-nothing = Niente di nuovo questa settimana: niente di imparato, niente di dimenticato, niente di chiesto invano.
digest-usage = /digest mostra le novità. «tieni a1», «annulla a1», «ricorda r1» decidono di una cosa, col nome che ha lì. /digest weekly, daily o off: quanto spesso te ne parlo da me.
digest-kept = Resta.
digest-kept-before = Resta già.
digest-undone = Fatto: non lo faccio più a memoria, e ciò che lo sosteneva non conta più.
digest-back = Lo ricordo di nuovo: { $name }.
digest-replaced = C'è già un modo più nuovo, quindi quello vecchio resta fuori: { $name }.
digest-gone = Non c'è più. /digest mostra che cosa c'è.
gaps-none = Questa settimana niente è stato chiesto invano.

removal-never-reused = chiesto una volta, e poi mai più
removal-stale = non più chiesto da molto tempo
removal-over-cap = da allora è stato chiesto troppo altro
removal-tool-missing = uno dei suoi strumenti non c'è più
removal-promoted = è diventato uno strumento a sé, { $heir }
removal-covered = ora lo fa { $heir }
removal-world-changed = i suoi strumenti sono cambiati
removal-failed = non funzionava più
removal-rejected = hai detto che era sbagliato
removal-demoted = un altro modo si è mostrato migliore

composite-purpose = Fa in un passo solo ciò che qui si chiede spesso: «{ $request }».
composite-not = per qualsiasi altra cosa usa gli strumenti di cui è fatto
composite-out = ciò che dà l'ultimo dei suoi strumenti
rewording-1 = per favore { $request }
rewording-2 = potresti { $request }
rewording-3 = { $request } adesso
rewording-4 = ho bisogno che tu faccia questo: { $request }
rewording-5 = { $request } per me
rewording-6 = ancora una volta: { $request }

proposal-gone = Non c'è una proposta così, o intanto qualcuno ha deciso. /proposals le elenca.
proposal-settled = { $name } resta.
proposal-only-told = Quella è solo da sapere; non c'è niente da farne.
proposal-stopped = Non si può fare: { $why }
proposal-killed = Non si può fare, perché sarebbe un male per la casa: { $killers }.
proposal-made = { $name } è fatto, e da ora si usa. Lo tengo d'occhio per { $hours } ore; «rifiuta» e il suo nome lo toglie.
proposal-rolled-back = { $name } è tolto. { $requests ->
    [0] Ciò che faceva va pensato da capo quando sarà richiesto.
    [one] L'unica richiesta di cui era fatto ha di nuovo la risposta di prima.
   *[other] Le { $requests } richieste di cui era fatto hanno di nuovo la risposta di prima.
}
proposal-not-ours = Qualcuno ha cambiato { $name } nel frattempo, quindi lascio stare la sua cartella. Cancellala tu, se vuoi.
proposal-refused-before = È già stata messa via.
proposal-put-away = Messa via.
draft-part-missing = uno degli strumenti di cui è fatto non c'è più
draft-name-broken = questo non è un nome di strumento; uno è verb_object o verb_object_qualifier, per esempio sort_files_size
draft-name-taken = c'è già uno strumento con quel nome
draft-no-intent = non è chiaro a che cosa serva
draft-needs-name = il suo nome è preso; scegline uno, per esempio «/proposals approve p1 sort_files_size»
draft-structure-differs = i suoi piani non differiscono solo nei valori
draft-part-changed = uno degli strumenti di cui è fatto vuole ormai altri argomenti
draft-no-tests = ciò che è stato registrato non basta a provarlo
draft-no-words = non si può descrivere in ogni lingua
draft-tests-fail = non fa ciò che fanno i piani registrati
draft-lint = il suo manifesto infrange una regola del catalogo
proposal-adopted = Annotato: { $what }. Da adesso il modello lo sa; /proposals reject lo toglie.
proposal-idle-soon = nessuno lo usa da un mese
proposal-idle = nessuno lo usava più
proposal-judged-bad = giudicata cattiva
proposal-unanswered = nessuno ha risposto
proposal-refused = hai detto di no
proposal-failed-in-grace = ha fallito mentre era tenuto d'occhio
proposals-broken = Ora le proposte non si possono guardare; il registro dice perché. Riprova tra un minuto.
proposals-none = Non ci sono proposte.
proposals-usage = /proposals le elenca. /proposals show p1, /proposals approve p1, /proposals reject p1 ne riguardano una; un nome dopo approve è quello dello strumento.
proposals-how = /proposals show p1 dice di più; approve o reject al posto di show decidono.
proposals-line = { $item } · { $what } — { $state }
proposal-promotion = uno strumento a sé per ciò che si chiede come «{ $request }» ({ $uses } volte)
proposal-promotion-named = lo strumento { $name } per ciò che si chiede come «{ $request }» ({ $uses } volte)
proposal-chain = «{ $request }» si chiede di continuo, e nessuno strumento lo fa da solo ({ $wanted }); la via che si prova: { $chain }
proposal-specialize = { $tool } si chiede quasi sempre con { $arg } = { $value }
proposal-dedupe = la via da { $source } a { $target } non porta più da nessuna parte
proposal-state-candidate = trovata, non ancora giudicata
proposal-state-review = aspetta te
proposal-state-stopped = non si può ancora fare
proposal-state-grace = fatto, e tenuto d'occhio
proposal-state-final = fatto
proposal-state-rolled-back = tolto
proposal-state-archived = messa via
proposal-example = «{ $request }» ({ $uses } volte)
proposal-reason = Perché: { $why }
proposal-verdict = Giudizio: { $ruling }, { $score } punti. { $signals }. Contro: { $killers }
proposal-plan = Il suo piano: { $plan }

button-keep = Tieni
button-unlearn = Annulla
digest-good-morning = Buongiorno! Ci sono novità in casa:
digest-tool = { $item } · { $what }
digest-proposed = { $item } · Ne faccio uno strumento? { $what }
digest-needs-name = { $item } · Ciò che si chiede come «{ $request }» potrebbe diventare uno strumento, ma il suo nome è preso. Dagliene uno: «approva { $item } sort_files_size».
digest-failed-in-grace = { $item } · { $name } ha fallito mentre lo tenevo d'occhio, quindi l'ho tolto. Ciò che si chiede come «{ $request }» ha di nuovo la risposta di prima.
digest-fails-in-grace = { $item } · { $name }, per ciò che si chiede come «{ $request }», fallisce. «rifiuta { $item }» lo toglie.
digest-chain = { $item } · «{ $request }» si chiede di continuo, e nessuno strumento lo fa da solo. Da ora mostro al modello una via che forse va bene; «mostra { $item }» dice quale.
digest-remembered = { $count ->
    [one] So a memoria un'altra richiesta: { $requests }
   *[other] So a memoria altre { $count } richieste: { $requests }
}{ $more ->
    [0] .
    [one] { " " }e un'altra.
   *[other] { " " }e altre { $more }.
}
digest-disputed = «{ $request }»: { $who } ha detto che la mia risposta era sbagliata. Ora quelle parole le lascio a chi fa i piani.
digest-signs-stay = 👍 lo tiene, 👎 lo toglie; oppure scrivi «tieni { $item }» o «annulla { $item }».
digest-signs-make = 👍 lo fa, 👎 lo mette via; oppure scrivi «approva { $item }» o «rifiuta { $item }».
digest-stays = Quello resta. Per toglierlo lo stesso scrivi «annulla { $item }».
digest-daily = Allora ogni mattina, quando c'è qualcosa di nuovo.
digest-weekly = Allora una volta alla settimana.
digest-off = Allora la mattina non dico niente. /digest mostra le novità quando vuoi.
removal-kind = un genere di richieste
removal-called = «{ $request }»
proposal-watched = { $name } è già fatto, e lo tengo d'occhio. «tieni { $item }» smette, «rifiuta { $item }» lo toglie.
button-make = Fallo
button-leave = Lascia stare
decision-approve = approva
decision-reject = rifiuta
decision-show = mostra
decision-keep = tieni
decision-undo = annulla
decision-back = ricorda
job-reaper = { $count ->
    [0] La memoria è invecchiata; niente se n'è andato.
    [one] La memoria è invecchiata; un piano se n'è andato.
   *[other] La memoria è invecchiata; { $count } piani se ne sono andati.
}
job-passages = { $count ->
    [0] Passaggi pesati; nessuno dimenticato.
    [one] Passaggi pesati; un desiderio dimenticato.
   *[other] Passaggi pesati; { $count } desideri dimenticati.
}
job-candidates = { $count ->
    [0] Nessuna nuova famiglia di piani.
    [one] Una nuova famiglia di piani.
   *[other] { $count } nuove famiglie di piani.
}
job-promoter = { $judged ->
    [one] Una proposta giudicata
   *[other] { $judged } proposte giudicate
}: { $made } fatte, { $waiting } da guardare, { $away } messe via, { $back } tolte.
job-promoter-failed = Le proposte non si sono potute scorrere: { $reason }
job-digest = { $count ->
    [0] Niente da dire stamattina.
    [one] Il riepilogo è stato mandato.
   *[other] Il riepilogo è stato mandato, in { $count } messaggi.
}
job-suggest = { $count ->
    [0] Nessuna nuova via verso ciò che manca.
    [one] Una nuova via verso qualcosa che manca.
   *[other] { $count } nuove vie verso ciò che manca.
}
job-cleanup = { $count ->
    [0] Nessuna proposta messa via.
    [one] Una proposta messa via.
   *[other] { $count } proposte messe via.
}
job-lifecycle = Piani: { $fastpaths } di richieste, { $autopaths } di generi; passaggi: { $passages }; proposte aperte: { $open }, strumenti fatti: { $made }; tolti questa settimana: { $removed }.
job-executors = Strumenti che nessuno usa: { $deprecated } annunciati, { $archived } tolti, { $revived } usati di nuovo.
job-usual = { $count ->
    [one] Si sa quanto dura un tipo di piano.
   *[other] Si sa quanto durano { $count } tipi di piano.
}
job-noticed = { $count ->
    [one] È stata notata un'abitudine o una strada chiusa.
   *[other] Sono state notate { $count } abitudini o strade chiuse.
}
job-habits = { $count ->
    [one] Il modello conosce un'altra abitudine.
   *[other] Il modello conosce altre { $count } abitudini.
}
job-watchdog-quiet = Niente da fare: strumenti di altri { $programs }, ospiti { $guests }.
job-watchdog-told = È stato detto che cos'è la sandbox: { $mode }. Strumenti di altri { $programs }, ospiti { $guests }.
