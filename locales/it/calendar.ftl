events-day = { $near ->
    [today] oggi,{" "}
    [tomorrow] domani,{" "}
    [yesterday] ieri,{" "}
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
}
events-days = da { $first } a { $last }
events-until = { $begin } - { $end }
events-until-day = { $begin } fino a { $end }
events-between = { $day }, dalle { $from } alle { $to }
events-next-days = i prossimi { $days } giorni
events-ahead = il tempo a venire
events-nothing = niente
events-and = { $first }; { $rest }
events-taken = «{ $summary }», { $when }
events-none-soon = Entro { $span } non comincia niente.
events-none = In calendario non c'è niente per { $span }.
events-note-broken = Non sono riuscito a leggere { $names }.
events-note-cut = C'è più di quanto riesca a seguire: chiedi un periodo più breve.
events-note-zone = Non conosco il fuso orario { $names }, quindi ho letto le ore con il tuo orologio.
events-gone = Non trovo più quell'evento in calendario. Chiedi cosa c'è e scegli di nuovo.
events-changed-meanwhile = Nel frattempo qualcuno l'ha cambiato, quindi non l'ho toccato. Riguardalo e dimmelo di nuovo.
events-undo-changed = È stato cambiato dopo, quindi l'ho lasciato com'è adesso.
events-disk = Adesso non riesco ad aprire il calendario o la rubrica. Riprova tra un momento.
events-broken = Non riesco a leggere { $name }, quindi non l'ho toccato.
events-no-title = Come si deve chiamare? Per esempio: metti dentista giovedì alle 15:30.
events-no-change = Cosa deve cambiare: il giorno, l'ora, il nome, il luogo?
events-when-unclear = Non sono sicuro di quando intendi. Dimmi un giorno, e un'ora se c'è: venerdì alle 10.
events-when-past = Quel giorno è passato. Dimmi un giorno che deve ancora venire.
events-rule-unclear = Non sono sicuro di ogni quanto. Dimmi per esempio: ogni martedì alle 18.
events-rule-fixed = Questa serie è legata a giorni fissi, quindi non posso spostarla tutta così. Posso spostarne una sola.
events-value = Un calendario non può contenerlo così com'è scritto. Prova con altre parole.
events-extent = «{ $summary }» ({ $when }) si ripete. Dimmi quale: solo questo, da questo in poi, o tutti.
events-extent-unclear = Dimmi quale: solo questo, da questo in poi, o tutti.
events-which = Ce n'è più di uno: { $names }. Quale?

contacts-reach = { $values }
contacts-birthday = { $day }{ $age ->
    [none] { "" }
   *[other] , ne compie { $age }
}
contacts-unsaid = non segnato
contacts-none = La rubrica è vuota. Di' per esempio: nuovo contatto Anna, 333 1234567.
contacts-none-called = In rubrica non c'è nessuno che si chiama «{ $name }».
contacts-no-birthdays = In rubrica non è segnato nessun compleanno.
contacts-one-only = Posso farlo per una persona alla volta. Per chi?
contacts-which = Ce n'è più di uno: { $names }. Quale?
contacts-no-change = Cosa deve cambiare: il numero, l'indirizzo di posta, il compleanno?
contacts-birthday-unclear = Non sono sicuro di che giorno sia. Di' per esempio: 9 marzo 1985.


# Server di calendari e rubriche.
agenda-lent-to-read = { $name } lo condivide con te solo da leggere. Per cambiarlo chiedi a { $name }.
agenda-no-such = Qui non c'è nessun calendario di nome «{ $name }».
agenda-stale = { $why } Quindi questo è quel che ho visto di { $account } l'ultima volta, { $when }{ $others ->
    [0] .
    [one] ; vale anche per un altro account.
   *[other] ; vale anche per altri { $others } account.
}
agenda-never = { $why } Quindi qui non c'è niente di { $account }.
dav-slow = Il server del calendario di { $account } ci ha messo troppo.
dav-refused = Il server di { $account } ha rifiutato la password. Molti fornitori ne vogliono una per le app: si crea nelle impostazioni di sicurezza dell'account.
dav-forbidden = In { $account } non si può scrivere niente: si può solo leggere.
dav-busy = Il server di { $account } vuole stare in pace per { $seconds ->
    [one] un secondo
   *[other] { $seconds } secondi
}. Riprova dopo.
dav-garbled = Quel che risponde per { $account } non è un calendario né un server di calendari. Controlla l'indirizzo.
dav-too-much = È più di quanto legga da un server di calendari in una volta.
dav-status = Il server di { $account } ha rifiutato (risposta { $status }). Riprova più tardi.
dav-gone = Non c'è più. Chiedi cosa c'è e scegli di nuovo.
dav-no-version = Il server di { $account } non dice quale versione è quale, quindi lì non cambio niente: potrei scrivere sopra a quel che ha fatto un altro.
dav-contradicts = Il server di { $account } dice che questo contraddice quel che ha, quindi niente è cambiato. Riguardalo e dimmelo di nuovo.
dav-empty = Lì non ho trovato né calendari né rubriche per { $account }. L'indirizzo è giusto? Con Nextcloud e altri sta nelle impostazioni del calendario.
dav-no-address = Questo non è l'indirizzo di un server. È fatto così: cloud.example.org oppure https://cloud.example.org/dav/
dav-private = { $host } sta in casa, e solo chi ne è padrone può nominare macchine lì.
dav-elsewhere = Quel server mi manda a { $host }, dove non porto la tua password. Se è tuo, dammi quell'indirizzo.
dav-setup-oauth = { $domain } non accetta password dai programmi per i calendari, quindi così non posso collegarlo. Quel che funziona: il suo «indirizzo segreto in formato iCal», nelle impostazioni del calendario. Aggiungilo per leggere il calendario: metnos account add calendar
dav-setup-none = { $domain } non ha un server di calendari per altri programmi. Quel che funziona: pubblica il calendario dalle sue impostazioni e aggiungi quell'indirizzo per leggerlo: metnos account add calendar
dav-setup-unknown = Non ho trovato un server di calendari per { $domain }. Dammi proprio il suo indirizzo, per esempio https://cloud.{ $domain }/
account-holds = { $name }: { $service ->
    [carddav] la rubrica risponde
    [calendar] il calendario si può leggere
   *[other] il server del calendario risponde
}
account-collection = {"  "}{ $called ->
    [none] senza nome
   *[other] { $called }
}: { $count ->
    [one] una voce
   *[other] { $count } voci
}{ $readonly ->
    [yes] , solo da leggere
   *[other] {""}
}
account-quirk-tokens = {"  "}Il server non dice cosa è cambiato; confronto tutto.

# La giornata di una persona, in una sola risposta.

day-free = { $day }: non ti aspetta niente.
day-holiday = Festa: { $name }
day-birthday = Compleanno: { $name }{ $age ->
    [none] { "" }
   *[other] { " " }({ $age })
}
day-whole = Tutto il giorno: { $what }
day-event = { $from }{ $to ->
    [none] { "" }
   *[other] –{ $to }
}: { $what }
day-titled = { $has_summary ->
    [yes] { $summary }
   *[no] un appuntamento
}{ $has_location ->
    [yes] , { $location }
   *[no] { "" }
}
day-task = { $time }: { $label }
day-mail = Non letta, da { $from }: { $subject }
