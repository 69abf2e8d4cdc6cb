# Posta: account, che cosa si trova e si fa, e che cosa non va con i server.

mail-no-account = Per questo mi serve il tuo account di posta.
mail-no-such-account = Non hai un account che si chiama «{ $name }». `metnos account list` li mostra.
mail-no-password = Non ho la password di { $account }. Aggiungi di nuovo l'account: `metnos account add mail`.
mail-settings-broken = Le impostazioni di { $account } non si leggono più. Aggiungi di nuovo l'account.
mail-no-trust = Su questa macchina non posso verificare il certificato di nessun server: { $reason }

# Server. Ogni frase dice che cosa non va e che cosa fare.
mail-no-host = Nessun server si chiama { $host }. Il nome è giusto, e questa macchina è in rete?
mail-unreachable = { $host } non risponde. Riprova più tardi; se resta così, controlla il nome del server.
mail-timeout = Il server di posta di { $account } ci ha messo troppo. Riprova tra poco.
mail-certificate-name = Il server che ha risposto come { $host } mostra un certificato con un altro nome, quindi non gli ho detto nulla. Controlla il nome del server con il tuo fornitore.
mail-certificate-expired = Il certificato di { $host } è scaduto, quindi non gli ho detto nulla. Lo deve rinnovare chi lo gestisce.
mail-certificate-not-yet = Il certificato di { $host } non è ancora valido. L'orologio di questa macchina è giusto?
mail-certificate-unknown = Nessuno di cui questa macchina si fida ha firmato il certificato di { $host }, quindi non gli ho detto nulla. Se è un server tuo, indica la sua autorità in «ca_file» nelle impostazioni.
mail-certificate-bad = Il certificato di { $host } non va bene, quindi non gli ho detto nulla.
mail-not-encrypted = { $host } non cifra, quindi non ci mando una password. Chiedi al tuo fornitore un server con TLS.
mail-login-oauth = Il fornitore di { $account } non accetta più password dai programmi, nessuna. Che cosa funziona: inoltra quella posta a un altro account, o usa quello di un altro fornitore.
mail-login-refused = Il server di { $account } ha rifiutato la password. Molti fornitori vogliono una password per le app: una fatta per i programmi, nelle impostazioni di sicurezza del tuo account.
mail-refused = Il server di { $account } ha rifiutato: { $said }
mail-garbled = Non capisco che cosa dice il server di { $account }. Riprova più tardi.
mail-too-much = È più di quanto leggo da un server di posta in una volta.
mail-gone = Il server di { $account } ha chiuso la connessione. Riprova tra poco.
mail-folder-changed = Il server ha rifatto quella cartella da quando ho guardato, quindi non so più quale mail è quale. Cerca di nuovo, e riparto da lì.
mail-message-gone = Quella mail non c'è più: qualcuno l'ha spostata o cancellata.
mail-invalid = «{ $text }» non è un indirizzo a cui si può mandare una mail.

# Cercare e leggere.
mail-none-found = Non ho trovato mail così.
mail-none-reached = Non ho raggiunto nessuna delle tue caselle.
mail-none-of-class = Nessuna è di quel tipo.
mail-no-inbox = Questo account non ha posta in arrivo.
mail-no-folder = Non c'è una casella che si chiama «{ $folder }».
mail-no-trash = Questo account non ha un cestino, quindi lì non cancello nulla.
mail-not-a-message = Quella non è una mail. Prima cerca le mail.
mail-too-many = Sono più di { $max } mail in una volta. Restringi, per esempio con un periodo.
mail-unreadable = Quella mail è rovinata: non riesco a leggerla.
mail-invitation = { $how ->
    [cancelled] Dice che è annullato: «{ $summary }», { $when }.
   *[invited] È un invito: «{ $summary }», { $when }. «Mettilo in calendario» lo inserisce.
}
mail-read-note = { $folded ->
    [0] {""}
    [one] Una riga citata è ripiegata.
   *[other] { $folded } righe citate sono ripiegate.
}{ $left ->
    [0] {""}
   *[other] {" "}{ $left } caratteri non sono mostrati.
}{ $files ->
    [0] {""}
    [one] {" "}Un allegato: { $names }
   *[other] {" "}{ $files } allegati: { $names }
}

# Perché una mail conta come quello che è.
mail-why-junk-folder = sta nella posta indesiderata
mail-why-marked = l'ha segnata il filtro del tuo fornitore
mail-why-not-verified = il tuo fornitore non ha potuto verificare chi l'ha mandata, e tu non scrivi a loro
mail-why-pretends-own = dice di venire da te, e non è così
mail-why-pretends = il nome mostra un altro indirizzo da quello da cui viene
mail-why-invoice = l'oggetto parla di un conto da pagare
mail-why-correspondent = ci scrivi anche tu
mail-why-list = è arrivata da una lista da cui ci si può cancellare
mail-why-bulk = è stata mandata a molti
mail-why-automated = l'ha scritta un programma
mail-why-open = nulla dice che cosa sia

# Che cosa è stato fatto.
mail-moved = { $ok_count ->
    [one] Ho spostato una mail in { $folder }.
   *[other] Ho spostato { $ok_count } mail in { $folder }.
}
mail-deleted = { $ok_count ->
    [one] Ho messo una mail in { $folder }. «annulla» la riporta.
   *[other] Ho messo { $ok_count } mail in { $folder }. «annulla» le riporta.
}
mail-marked = { $ok_count ->
    [one] Ho segnato una mail.
   *[other] Ho segnato { $ok_count } mail.
}
mail-already-there = È già in { $folder }.
mail-nothing-to-set = Di' che cosa segnare: come letta, o con la bandierina.
mail-files-saved = { $ok_count ->
    [one] Ho salvato un file in { $folder }.
   *[other] Ho salvato { $ok_count } file in { $folder }.
}
mail-no-files = Lì non ci sono allegati.
mail-files-too-much = È più di quanto salvo in una volta.
mail-cannot-write = Non riesco a scrivere { $path }.

# Mandare.
mail-sent = { $people ->
    [one] Mandata a { $to }: «{ $subject }».
   *[other] Mandata a { $people } persone ({ $to }): «{ $subject }».
}
mail-sent-not-filed = Non ho potuto mettere una copia tra la posta inviata.
mail-not-sent = Non mandata. { $why } Diceva: { $text }
mail-not-sent-kept = Non mandata. { $why } È tra le tue bozze.
mail-left = Sei disiscritto da { $names }. Una o due mail possono ancora essere in arrivo.
mail-list-none = Le mail di { $who } non dicono come disiscriversi. Posso metterle nel cestino, oppure segnale come spam.
mail-list-by-page = { $who } vuole che ti disiscriva da te su una pagina: { $page }
mail-list-forged = La mail di { $who } può essere falsa, o è spam: disiscriverti direbbe solo che la leggi. Meglio metterla nella posta indesiderata.
mail-list-inside = Per disiscriversi { $who } indica un indirizzo dentro la tua rete di casa. Non lo chiedo.
mail-list-refused = { $who } non l'ha accettato. Riprova più tardi, o lascia che metta queste mail nel cestino.
mail-lists-changed = Quel che queste mail dicono per disiscriversi è cambiato nel frattempo. Non ho mandato niente; chiedimelo di nuovo.
mail-taken-back = Ripresa: non è partito nulla.
mail-send-unknown = Non so se quella mail è partita: il server non l'ha detto. Non la rimando da solo. Guarda tra la posta inviata, o chiedi a chi doveva riceverla.
mail-recipient-refused = Il server non accetta posta per { $address }: { $said }
mail-recipient-later = Il server ora non accetta posta per { $address }: { $said } Riprova più tardi.
mail-no-recipient = A chi? Di' una persona o un indirizzo.
mail-too-many-recipients = Una mail va al massimo a { $max } persone.
mail-day-contradicts = Il testo dice «{ $said }», ma quel giorno è { $weekday ->
    [1] lunedì
    [2] martedì
    [3] mercoledì
    [4] giovedì
    [5] venerdì
    [6] sabato
   *[7] domenica
}. Di' quale dei due intendi; non è stato inviato nulla.
mail-no-text = Che cosa deve dire?
mail-which-one = Quale mail intendi? Prima cercala.
mail-nobody-called = Dalla tua posta non conosco nessuno che si chiama «{ $name }». Di' l'indirizzo.
mail-several-called = Più persone si chiamano «{ $name }»: { $names }. Di' l'indirizzo.
mail-no-answer-to-program = { $who } è un programma, e nessuno legge che cosa gli si manda. Non gli rispondo.
mail-no-such-file = { $path } non si può leggere.
mail-files-too-large = Con { $path } i file sono troppo grandi per una mail.
approval-send_messages = Mando questa mail?
approval-send_messages-new = Mando questa mail?
approval-send_messages-reply = Mando questa risposta?
approval-send_messages-reply_all = Mando questa risposta a tutti loro?
approval-send_messages-forward = Inoltro questa mail?
approval-send_messages_unsubscribe = Ti disiscrivo da questo?
approval-move_messages = Posso spostare queste mail?
approval-delete_messages = Posso mettere queste mail nel cestino?
approval-set_messages = Posso segnare queste mail?
approval-extract_messages = Posso salvare questi file?

# Account.
mail-setup-oauth = { $domain } non accetta più password dai programmi, quindi non posso collegarlo: servirebbe un accesso con Microsoft che non ho ancora. Che cosa funziona: inoltra quella posta a un altro account e collega quello.
mail-setup-none = { $domain } non ha server per altri programmi, quindi non posso collegarlo.
mail-setup-bridge = { $domain } funziona solo con il suo programma su questa macchina (Bridge), che non so ancora collegare.
mail-setup-plain = { $domain } non cifra, quindi non ci mando una password.
mail-setup-app-password = { $domain } qui vuole una password per le app: creane una nelle impostazioni di sicurezza del tuo account. La tua password non funziona.
login-mail-address = Qual è il tuo indirizzo di posta?
login-mail-imap = Non conosco i server di quell'indirizzo. Come si chiama il server IMAP? Per esempio imap.example.org
login-mail-smtp = E il server SMTP, per mandare? Per esempio smtp.example.org
login-mail-password = Qual è la password? Dove il fornitore ha password per le app, usa una di quelle.
login-caldav-address = Qual è l'indirizzo del server del tuo calendario?
login-caldav-user = E il tuo nome utente lì?
login-caldav-password = E la password?
login-carddav-address = Qual è l'indirizzo del server della tua rubrica?
login-carddav-user = E il tuo nome utente lì?
login-carddav-password = E la password?
login-calendar-address = Qual è l'indirizzo del calendario?
login-kept = { $account } funziona. Tengo la password sigillata.
login-again = { $why } Riprova, o di' «annulla».
login-not-yet = Questo non so ancora collegarlo.
hint-login-address = Quello non è un indirizzo. È fatto come anna@example.org; «annulla» lascia perdere.
account-no-such-service = Non c'è nulla che si chiama «{ $service }». Conosco: { $known }
account-list-none = Ancora nessun account. Aggiungine uno: metnos account add mail
account-line = { $service } · { $name } · { $state ->
    [good] funziona
    [refused] password rifiutata
   *[untried] non ancora usato
}
account-removed = { $name } è tolto, anche la sua password.
account-bad = { $name }: { $why }
account-reads = { $name }: legge la posta
account-sends = { $name }: manda la posta
account-sends-not = { $name } non può mandare: { $why }
account-folder = {"  "}{ $role ->
    [inbox] in arrivo
    [sent] inviata
    [drafts] bozze
    [trash] cestino
    [junk] indesiderata
   *[other] { $role }
}: { $folder ->
    [none] non trovata
   *[other] { $folder }
}
account-quirk-names = {"  "}Il server non dice quale cartella è quale; vado per nome.
account-quirk-move = {"  "}Il server non sa spostare; copio e tolgo.
account-quirk-uidplus = {"  "}Il server non dice dove sono le mail spostate; annulla le cerca.
account-quirk-idle = {"  "}Il server non annuncia la posta nuova.
account-quirk-labels = {"  "}Qui le cartelle sono etichette: una mail può stare in più d'una.
