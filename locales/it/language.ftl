pattern-autonomy-range = Il livello { $level } non esiste. L'autonomia va da A0 (propongo soltanto) ad A4 (chiedo solo per le cose critiche). Quale vuoi?
pattern-ambiguous = Posso leggerlo in due modi. Puoi dirlo con altre parole?
pattern-timer-how-long = Per quanto tempo deve andare il timer?
pattern-timer-range = Un timer può durare da un secondo a un anno. Per quanto tempo deve andare?
pattern-alarm-when = Per che ora metto la sveglia?
pattern-alarm-one = Metto una sveglia alla volta. Quale ora e quale giorno per prima?
pattern-alarm-range = Quest'ora non esiste. Per che ora metto la sveglia?
pattern-alarm-past = Quell'ora è già passata. Per che giorno e che ora metto la sveglia?
pattern-alarm-rings = Una sveglia sta suonando. Vuoi che smetta, o che la tolga del tutto? Dimmi quale delle due.
pattern-device-everything = { $count ->
    [0] Riguarderebbe tutti i dispositivi di casa.
    [one] Riguarderebbe tutta la casa, un solo dispositivo.
   *[other] Riguarderebbe tutti e { $count } i dispositivi di casa.
} Quale stanza o quale dispositivo intendi?
pattern-device-unknown = Non conosco un dispositivo chiamato “{ $name }”. Quale intendi?
pattern-alarm-or-device = C'è un dispositivo con questo nome. Intendi il dispositivo o la sveglia?
pattern-device-room = Non conosco una stanza chiamata “{ $room }”. Quale stanza intendi?
pattern-device-which = Ce n'è più di uno: { $names }. Quale intendi?
pattern-device-percent = La luminosità va da 0 a 100 per cento. Quanta ne vuoi?
pattern-device-unlock = Non sblocco nulla con una semplice frase. Fallo per favore dall'app della serratura.
pattern-watcher-which = Ci sono più sorveglianti: { $names }. Quale intendi?
closed-secrets = Non consegno chiavi e password, chiunque le chieda. Se te ne serve una, aprila tu sulla macchina.
closed-destruction = Questo non lo faccio: distruggerebbe molto più di quanto si possa recuperare. Se lo vuoi davvero, fallo tu sulla macchina.
closed-safety = Le mie regole di sicurezza non si cambiano in una conversazione. Il livello di autonomia si imposta sulla macchina: “metnos autonomy”.
pattern-not-typed = Era in un messaggio inoltrato, quindi non ho cambiato nulla. Se lo vuoi, scrivilo tu per favore.
pattern-host-only = Questo me lo può chiedere solo chi gestisce la casa. Non ho cambiato nulla.
