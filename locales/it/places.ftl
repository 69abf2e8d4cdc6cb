# Servizi di mappe: che cosa si dice quando non rispondono.

places-not-configured = Nessun servizio di mappe è configurato: chi gestisce metnos può indicarne uno nella configurazione, sotto [places].
places-rate-limited = Il servizio di mappe chiede di aspettare { $seconds ->
    [one] { $seconds } secondo
   *[other] { $seconds } secondi
} prima della prossima domanda. Riprova dopo.
places-unavailable = Il servizio di mappe non è raggiungibile adesso, quindi non so che cosa ci sia. Riprova più tardi.
places-timeout = Il servizio di mappe ci mette troppo a rispondere. Riprova fra un momento.
places-key-refused = Il servizio di mappe non accetta la chiave della configurazione. Chi gestisce metnos può controllarla.
places-given-key-refused = Google Places non accetta la chiave che mi è stata data.
places-none-connected = Nessun servizio di mappe è collegato.
places-key-missing = Il servizio di mappe che uso non conosce gli orari di apertura.
places-hours-ask-host = Il servizio di mappe di qui non conosce gli orari di apertura. Chiedi a chi gestisce metnos: può collegarne uno che li conosce.
places-unreadable = Il servizio di mappe ha risposto qualcosa che non so leggere. Riprova più tardi.
places-what-missing = Mi serve sapere che cosa cercare, per esempio «farmacia» o un nome.
places-near-unreadable = Mi serve sapere intorno a dove. Indica un luogo o un indirizzo, oppure condividi la posizione.
places-near-unknown = Non ho trovato «{ $words }» sulla mappa. Aggiungi la città, oppure condividi la posizione.
places-none-within = Ho cercato fino a { $km } km.
places-hours-unknown = Non tutti gli orari sono noti: meglio controllare prima di andare.
places-hours-not-known = orari non noti
places-open = aperto adesso
places-closed = chiuso adesso
answer-map = mappa
