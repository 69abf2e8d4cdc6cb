events-day = { $near ->
    [today] oggi,
    [tomorrow] domani,
    [yesterday] ieri,
   *[other] { "" }
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

