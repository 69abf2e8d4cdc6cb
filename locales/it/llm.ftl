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

# Un modello fuori casa, dove la famiglia permette di interpellarlo.
online-not-ready = Posso interpellare un modello online, ma non è ancora configurato. “metnos doctor” dice che cosa manca.
online-holds-secret = Il tuo messaggio sembra contenere una password o simili. Non l'ho mandato al modello online, e qui non riesco a capire come fare. Chiedi di nuovo senza quella parte.
online-day-spent = Di quello che oggi si può spendere per il modello online resta troppo poco, e senza non riesco a capire come fare. Si riprende domani; quello che so già fare continua a funzionare.
online-month-spent = Di quello che questo mese si può spendere per il modello online resta troppo poco, e senza non riesco a capire come fare. Quello che so già fare continua a funzionare.
online-down = Il modello online adesso non risponde. Riprova tra qualche minuto; quello che so già fare continua a funzionare.
online-slow = Il modello online ci ha messo più di { $seconds } secondi e ho smesso di aspettare. Riprova, oppure chiedi una cosa alla volta.
online-key-refused = Il fornitore del modello online ha rifiutato la nostra chiave. Il proprietario può metterne una valida nel file indicato da llm.online.key_file.
online-busy = Il modello online adesso ha troppo da fare. Riprova tra un minuto.
online-busy-for = Il modello online adesso ha troppo da fare. Riprova tra { $seconds } secondi.
online-no-credit = Il conto presso il fornitore del modello online non ha più credito. Il proprietario può aggiungerne lì.
online-refused = Il modello online ha rifiutato questa richiesta. Prova con una più breve.
online-unreadable = Il modello online ha dato una risposta che non posso usare. Prova a dirlo con altre parole.
