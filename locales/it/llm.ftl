# Il modello linguistico: che cosa ne viene detto a una persona.

llm-not-configured = Nessun modello linguistico è collegato. Posso comunque fare tutto quello che ho già imparato e le cose più semplici. Per collegarne uno, imposta `url` sotto `[llm]` nella configurazione.
llm-down = Il modello linguistico adesso non risponde. Riprova tra qualche minuto; quello che so già fare continua a funzionare.
llm-loading = Il modello linguistico si sta ancora avviando. Riprova tra un minuto.
llm-slow = Il modello linguistico ci ha messo più di { $seconds } secondi e ho smesso di aspettare. Riprova, oppure chiedi una cosa alla volta.
llm-refused = Il modello linguistico ha rifiutato questa richiesta. Prova con una più breve.
llm-unreadable = Il modello linguistico ha dato una risposta che non posso usare. Prova a dirlo con altre parole.
llm-no-calls-left = Per oggi le tue chiamate al modello sono finite. Dopo mezzanotte ce ne sono altre; quello che so già fare continua a funzionare.
llm-server-started = Il modello linguistico si sta avviando.
llm-server-failing = Il modello linguistico si è fermato { $failures ->
    [one] una volta
   *[other] { $failures } volte di fila
} ({ $reason }). Il suo registro è in `{ $log }`.
