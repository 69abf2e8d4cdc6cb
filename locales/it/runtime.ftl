# Quello che dice il runtime: persone, comandi, bottoni, approvazioni, cose andate storte.

hello = Ciao { $name }! Scrivimi cosa ti serve, con parole tue. /help mostra cosa so fare.
help =
    Scrivi semplicemente cosa ti serve, per esempio:
    · quanti giorni mancano a natale
    · crea una lista chiamata spesa
    · aggiungi latte e pane alla lista della spesa
    · dov'è la lettera della scuola
    · foto di Roma
    · fammi vedere le foto dell'estate scorsa
    · fai un grafico della colonna euro di benzina.csv
    · quando scade il contratto della palestra
    · scrivi una nota: venerdì viene l'idraulico
    · trova la farmacia più vicina
    · ci sono mail non lette della scuola?
    · trova le mail di spam e spostale nel cestino
    · domani piove?
    · quando è la prossima festività
    · cerca sul web una ricetta della ribollita
    · ricordami domani alle 9 di chiamare la mamma
    · cosa c'è in calendario domani
    · ogni mattina alle 7 la mia giornata
    · avvisami un quarto d'ora prima di ogni appuntamento
    · metti dentista giovedì alle 15:30
    · accendi la luce della cucina
    · imposta un timer di 5 minuti
    · ogni giorno alle 8 dimmi cosa c'è nella lista della spesa
    · annulla
    Sotto una risposta: ✓ era giusta, ✗ era sbagliata, ↺ fallo in un altro modo.
    Le cose rischiose aspettano la tua approvazione. Un PDF o uno ZIP protetto chiede la password. Quello che dura troppo lo fermi con /stop.
    Con un Home Assistant tengo anche le sue liste e mostro le sue telecamere; con un modello che vede trovo le foto da quello che mostrano.
    Comandi: /help /status /undo /stop /me, e /people e /search per il proprietario.
stranger = Questo assistente è di una famiglia. Se ne fai parte, chiedi un codice e scrivi: /pair CODICE
welcome-name = Prima di cominciare: come ti chiamo? («ok» lascia { $name }, «salta» chiude queste domande.)
welcome-language = In che lingua ti rispondo: inglese o italiano? («ok» lascia questa.)
welcome-language-bad = Quella lingua non la so ancora.
welcome-notes = E dove metto liste e note? Le metterei in ~/{ $folder }. («ok», oppure una cartella come ~/documenti/liste.)
welcome-notes-bad = Deve essere una cartella della tua home, come ~/note.
welcome-over = Grazie, { $name }, è tutto. Dimmi cosa ti serve; /help dice cosa so fare, /me cambia quello che hai appena detto.
welcome-skip = salta
welcome-skipped = Va bene. Con /me vedi e cambi queste cose quando vuoi; /help dice cosa so fare.
me-notes = D'ora in poi liste e note vanno in { $folder }.
paired = Benvenuto { $name }! Da adesso lavoro per te anche qui. /help mostra cosa so fare.
already-paired = Sei già collegato, { $name }. Non serve altro.
pairing-wrong-code = Il codice non è valido: vale una volta sola, per cinque minuti. Chiedine uno nuovo con “metnos pair”.
pairing-too-many-tries = Troppi codici sbagliati. Riprova tra { $minutes } minuti.
me =
    Sei { $name ->
        [host] il proprietario
       *[other] { $name }
    } ({ $id }), { $channel ->
        [terminal] sul terminale
        [telegram] su Telegram
       *[matrix] su Matrix
    }.
    Lingua { $lang }, fuso orario { $timezone }, autonomia { $autonomy }.
me-usage-so-far = Richieste nell'ultima ora: { $turns }. Chiamate al modello oggi: { $models }.
me-usage = Per cambiare: /me name Anna, /me language it, /me timezone Europe/Rome, /me autonomy A1, /me quiet 22-7, /me area cucina, /me notes ~/notes.
me-renamed = Da adesso ti chiamo { $name }.
name-bad = Questo nome non va bene: è vuoto, supera i { $limit } caratteri, è un identificativo oppure è di qualcun altro. Scegline un altro.
timezone-changed = Da adesso il tuo fuso orario è { $timezone }: lì sono le { $time }.
timezone-unknown = Non conosco questo fuso orario. Scrivilo così: Europe/Rome.
autonomy-unknown = I livelli vanno da A0 (propongo soltanto) ad A4 (non chiedo quasi mai).

people-host-only = Solo il proprietario vede e cambia le persone. /me mostra cosa puoi cambiare di te.
people-line = { $name ->
        [host] Il proprietario
       *[other] { $name }
    } ({ $id }): { $channels }; { $lang }, { $timezone }, { $autonomy }. Richieste nell'ultima ora: { $turns }; chiamate al modello oggi: { $models }; attività: { $tasks }.
people-line-revoked = { $name } ({ $id }): accesso tolto; i dati restano.
people-channel-terminal = terminale
people-no-channel = nessun canale
people-more = Per cambiare qualcosa: /people help.
people-more-here = Per cambiare qualcosa: metnos people --help
people-usage =
    /people — tutte le persone
    /people invite — un codice per un nuovo ospite
    /people link NOME — un codice per un altro suo telefono o canale
    /people rename NOME NUOVO NOME
    /people language NOME it
    /people timezone NOME Europe/Rome
    /people autonomy NOME A1
    /people quota NOME turns 30 (all'ora), tasks 10 oppure models 100 (al giorno); “none” toglie il limite, “default” rimette quello solito
    /people revoke NOME — toglie l'accesso; seguito da telegram, solo su quel canale
people-invite = Codice per un nuovo ospite: { $code } — vale una volta, per { $minutes } minuti. Deve scrivermi: /pair { $code }
people-link = Codice per un altro telefono o canale di { $name }: { $code } — vale una volta, per { $minutes } minuti. Deve scrivermi: /pair { $code }
people-link-host = Un codice per te si crea solo sul computer: metnos pair --for host
people-revoked = { $name } non ha più accesso, e quello che aspettava è chiuso. I dati restano: “metnos people erase { $id }” li cancella, /people link { $id } fa rientrare.
people-revoked-before = { $name } non aveva già più accesso. /people link { $id } fa rientrare.
people-revoked-channel = { $name } non ha più accesso su { $channel }. Sul computer, “metnos pair --for { $id }” fa rientrare.
people-revoke-host = Il proprietario resta. Se hai perso il telefono, togli l'accesso al suo canale: /people revoke host telegram
people-not-on-channel = { $name } non è su “{ $channel }”. /people mostra dove.
person-unknown = Non conosco nessuno di nome “{ $who }”. /people mostra tutti; sul computer, “metnos people”.
person-ambiguous = Più persone si chiamano “{ $who }”. Usa l'identificativo che mostra /people.
person-renamed = Da adesso { $id } si chiama { $name }.
person-language = Da adesso a { $name } rispondo in “{ $lang }”.
person-timezone = Da adesso il fuso orario di { $name } è { $timezone }: lì sono le { $time }.
person-autonomy = Da adesso l'autonomia di { $name } è { $level }.
quota-changed = { $name }, { $kind }: { $limit }.
quota-kind-turns = richieste all'ora
quota-kind-tasks = attività
quota-kind-models = chiamate al modello al giorno
quota-host = Il proprietario non ha limiti, così non può chiudersi fuori da solo. Agli ospiti si può darne uno: /people quota NOME turns 30.
quota-unknown-here = Scrivilo così: metnos people quota NOME turns 30. Al posto di turns: tasks o models; al posto del numero: none o default.
quota-unknown = Scrivi così: /people quota NOME turns 30. Al posto di turns: tasks o models; al posto del numero: none o default.
quota-used-of = { $used } su { $limit }
quota-no-limit = nessun limite
quota-turns-used = Hai usato le tue { $limit } richieste all'ora. La prossima si può fare alle { $time }; “annulla” si può sempre.
quota-turns-none = Per ora il proprietario ha sospeso le tue richieste. Chiedi a lui se ti serve qualcosa; “annulla” si può sempre.
lang-changed = Da adesso parlo italiano.
lang-changed-added = Da adesso parlo la tua lingua dove è già tradotta, e inglese dove ancora non lo è.
lang-unknown = Parlo queste lingue: { $languages }. Scrivine una, per esempio /me language it. Chi gestisce metnos me ne fa imparare un'altra con /language add fr.
language-usage = Scrivi /language, /language add fr oppure /language review fr.
language-unknown = Non conosco una lingua di nome «{ $name }». Scrivi il suo codice di due lettere, per esempio fr.
language-built-in = { $language }: lo parlo già. Con /me language { $code } lo parlo con te.
language-added = Sto imparando: { $language }. { $count ->
    [one] Un testo aspetta di essere tradotto
   *[other] { $count } testi aspettano di essere tradotti
}, { $night } ogni notte, con il modello linguistico; quello che non è ancora tradotto lo dico in inglese. Con /me language { $code } la parlo con te.
language-added-before = La sto già imparando: { $language }. { $count ->
    [0] Niente aspetta una traduzione.
    [one] Un testo aspetta ancora una traduzione.
   *[other] { $count } testi aspettano ancora una traduzione, { $night } ogni notte.
} Con /me language { $code } la parlo con te.
language-line-whole = { $code } ({ $language }): compresa
language-line = { $code } ({ $language }): { $translated } testi su { $all }, di cui { $hand } a mano; { $pending } in attesa{ $given_up ->
    [0] {""}
   *[other] , { $given_up } non mi sono riusciti
}
language-more = Per aggiungerne una: /language add fr. Le traduzioni accanto all'inglese: /language review fr.
language-none-added = Non è ancora stata aggiunta nessuna lingua. /language add fr aggiunge il francese.
language-which = Quale? Scrivi il codice, per esempio /language review fr.
language-not-added = «{ $name }» non è stata aggiunta. /language mostra le lingue che parlo.
language-review-line = { $place } ({ $state })
    - { $english }
    + { $text }
language-review-refused = { $line }
    ? { $said }
    ({ $why })
language-review-more = { $count ->
    [one] Un altro testo è come questi.
   *[other] Altri { $count } testi sono come questi.
}
language-review-nothing = Niente è ancora tradotto: { $language }. «metnos jobs run i18n_translate_pending» comincia subito.
language-review-where = I testi sono in { $path }. Quello che cambi lì resta, qualunque cosa diventi l'inglese; quello che cancelli viene tradotto di nuovo.
language-state-behind = cambiato a mano; l'inglese intanto è un altro
language-state-outdated = l'inglese intanto è un altro; sarà tradotto di nuovo
language-state-made = tradotto
language-state-hand = a mano
language-state-pending = in attesa
language-wrong-unreadable = non usato: non si poteva leggere
language-wrong-key = non usato: ha un'altra chiave
language-wrong-values = non usato: manca un valore, o ce n'è uno di troppo
language-wrong-choices = non usato: sceglie fra altre cose
language-wrong-links = non usato: ha un altro indirizzo o comando
language-wrong-length = non usato: è troppo lungo
language-broken = I testi di quella lingua non si possono leggere o scrivere ({ $reason }). «metnos doctor» guarda la cartella dei dati.
unknown-command = Non conosco { $command }. /help mostra cosa so fare.
unsupported-message = Questo tipo di messaggio non so usarlo. Scrivimi cosa ti serve, mandami un file o condividi la tua posizione.
unreadable-message = Non sono riuscito a decifrare il tuo messaggio: la chiave non mi è mai arrivata. Mandalo di nuovo; se non basta, verificami nella tua app o apri una nuova chat con me.
request-empty = Il messaggio è vuoto. Scrivi cosa ti serve, oppure /help.
request-too-long = Il messaggio supera i { $limit } caratteri. Accorcialo, oppure metti il testo in un file.
queue-full = Ho ancora molti tuoi messaggi a cui rispondere. Rimandami questo tra un momento.
internal-error = Qualcosa si è rotto dalla mia parte e mi sono fermato lì. Riprova; “metnos doctor” dice di più.
internal-error-unsure = Qualcosa si è rotto dalla mia parte, e non posso sapere se è successo. Controlla prima di chiedermelo di nuovo; “metnos doctor” dice di più.

location-noted = Grazie, ora so dove sei. Chiedimi che cosa c’è vicino a te.
location-noted-live = Grazie, ora so dove sei, e ti seguo finché condividi la posizione.

interrupted-unknown = Sono stato interrotto mentre facevo { $named ->
    [no] questo
   *[yes] questo: “{ $about }”
}. Non posso sapere se è successo, e non lo ripeto: controlla, poi chiedimelo di nuovo se serve.
interrupted-after = Sono stato interrotto mentre facevo { $named ->
    [no] questo
   *[yes] questo: “{ $about }”
}. Prima avevo { $done }. Se manca qualcosa, chiedimelo; “annulla” riporta indietro quel che si può.
interrupted-after-undo = Sono stato interrotto dopo aver annullato una modifica. Non ho fatto altro: guarda che cosa è tornato, poi chiedimi di nuovo il resto.
interrupted-again-and-again = Questa richiesta mi ha fermato più volte, quindi la lascio stare. Prova in un altro modo; “metnos doctor” dice di più.

# A message of which nobody knows whether it arrived.
answer-perhaps-lost = La connessione è caduta mentre rispondevo{ $named ->
    [no] { "" }
   *[yes] { " " }a “{ $about }”
}. Se non vedi la mia risposta, posso rimandarla.
button-resend = 🔁 Rimandala
resend-comes = Eccola.
resend-gone = L’ho già rimandata, o non ce l’ho più. Chiedimelo di nuovo.
delivery-copy = Forse l’hai già ricevuto: la connessione è caduta mentre lo inviavo.

button-stop = ⏹ Ferma
stop-taken = Mi fermo.
stop-over = È già finito: non c'è niente da fermare.
stop-nothing = In questo momento non sto facendo niente, quindi non c'è niente da fermare.
stop-too-late = Non ho fatto in tempo a fermarmi: era già finito quando me l'hai chiesto.
stop-cut-off-after = Fermato, come hai chiesto. Prima avevo { $done }; “annulla” riporta indietro quel che si può.
stop-cut-off-after-undo = Mi sono fermato, come mi hai chiesto. Prima avevo già annullato una modifica; non ho fatto altro.
stop-cut-off-unknown = Fermato, come hai chiesto. Ero nel mezzo di { $named ->
    [no] qualcosa
   *[yes] questo: “{ $about }”
}. Non posso sapere se è successo, e non lo ripeto: dai un'occhiata tu.
progress-cut-off = Qui sono stato interrotto.

feedback-confirmed = Segnato, grazie.
feedback-rejected = Mi dispiace. Non risponderò più così a memoria. Se me lo chiedi di nuovo posso trovare lo stesso modo; segnato così qualche volta, non lo uso più.
feedback-rejected-words = Mi dispiace. A queste parole non risponderò più così, se poi non scegli ↺.
feedback-retry = Provo in un altro modo.
feedback-try-again = Ci riprovo.
feedback-retry-before = Un altro modo l'ho già cercato una volta. Usa i bottoni sotto quella risposta.
feedback-gone = Non ho più quella risposta.
retry-had-secret = In quella richiesta c'era un segreto, e io non ne conservo. Scrivila di nuovo, per favore.
retry-done-already = Quella richiesta ha cambiato qualcosa, o potrebbe averlo fatto, quindi non l'ho ripetuta. Scrivi “annulla” per tornare indietro, poi tocca di nuovo ↺.
feedback-not-yours = Solo chi ha fatto la richiesta può usare questi bottoni.

button-approve = ✅ Approva
button-change = ✎ Cambia
approval-new-words = Come deve essere? Scrivi tutto il testo; lo mostro di nuovo prima che parta.
button-refuse = ✖ Rifiuta
approval-given = Approvato: procedo.
approval-given-before = Era già approvato: si esegue una volta sola.
approval-refused = Va bene, non ho fatto nulla.
approval-refused-after = Va bene, mi fermo qui. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
refused-more = Va bene, non ho fatto nulla. Se vuoi un'altra cosa, chiedimela tutta in una frase.
refused-more-after = Va bene, mi fermo qui. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa. Se vuoi un'altra cosa, chiedimela tutta in una frase.
nothing-instead = Va bene, non ho fatto altro al suo posto. La modifica annullata prima della mia domanda resta annullata.
approval-still-open = Non ho fatto nulla: per me non era né un sì né un no. La mia domanda è ancora aperta. Rispondi «sì» e faccio esattamente quello che dice; rispondi «no» e lascio perdere, e puoi chiedermelo in un altro modo.
approval-refused-before = Avevi già rifiutato. Non ho fatto nulla.
approval-expired = Il tempo è scaduto: non ho fatto nulla. Chiedimelo di nuovo se lo vuoi ancora.
approval-expired-after = Il tempo è scaduto, quindi mi sono fermato. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
approval-above = Al livello { $level } non lo farei. Approva, e lo faccio questa volta sola.
approval-for-guest = { $name } mi chiede questo. Al suo livello ({ $level }) puoi permetterlo soltanto tu. Lo faccio per { $name } nella sua cartella (~), questa volta sola.
approval-host-is-asked = Al tuo livello ({ $level }) può permetterlo soltanto chi gestisce metnos. Gliel'ho chiesto, e vado avanti appena dice di sì. Con “no” lascio perdere.
approval-only-host = Può permetterlo soltanto chi gestisce metnos. Gliel'ho chiesto; con “no” lascio perdere.
approval-refused-by-host = Chi gestisce metnos ha detto di no. Non ho fatto niente.
approval-refused-by-host-after = Chi gestisce metnos ha detto di no, quindi mi sono fermato. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
approval-host-given = Permesso, per questa volta sola.
approval-host-refused = Va bene, rispondo di no.
follow-up-unclear = Non capisco quali di quelli intendi. Dimmelo in una richiesta intera, con il tipo e la cartella.
approval-gone = Quella domanda non è più aperta. Chiedimelo di nuovo se lo vuoi ancora.
approval-offered = Non sono sicuro che intendi questo, perciò guarda prima:
approval-text-goes-on = { $count ->
    [one] Segue ancora un carattere.
   *[other] Seguono altri { $count } caratteri; chiedimi la pagina o il file da cui vengono per vederli tutti.
}
approval-write_files-append = Posso aggiungere questo in fondo?
approval-write_files-add_lines = Posso aggiungere queste righe?
approval-write_files-remove_lines = Posso togliere queste righe?
approval-write_files-clear_lines = Posso svuotare questa lista?
approval-write_files-tick_lines = Posso spuntare queste righe?
approval-other = Posso eseguire { $tool }?
approval-delete_files = Posso cancellare questo?
approval-move_files = Posso spostare questo?
approval-move_files-copy = Posso copiare questo?
approval-write_files = Posso scrivere questo?
approval-share_files = Posso condividere questo, da leggere e cambiare?
approval-share_files-read_only = Posso condividere questo, solo da leggere?
approval-share_files-end = Posso smettere di condividere questo?
approval-share_events = Posso condividere il calendario, da leggere e cambiare?
approval-share_events-read_only = Posso condividere il calendario, solo da leggere?
approval-share_events-end = Posso smettere di condividere il calendario?
approval-share_contacts = Posso condividere la rubrica, da leggere e cambiare?
approval-share_contacts-read_only = Posso condividere la rubrica, solo da leggere?
approval-share_contacts-end = Posso smettere di condividere la rubrica?
approval-change_files_format = Posso fare queste immagini?
approval-compress_files = Posso comprimere questo?
approval-change_images_pdf = Posso fare questo PDF?
approval-create_files_spreadsheet = Posso fare questa tabella?
approval-create_images_chart = Posso fare questo grafico?
approval-extract_files_zip = Posso estrarre questo?
approval-create_dirs = Posso creare questo?
approval-create_tasks = Posso impostare questo?
approval-set_tasks = Posso cambiare questo?
approval-delete_tasks = Posso togliere questo?
approval-create_events = Posso metterlo in calendario?
approval-set_events = Posso cambiarlo in calendario?
approval-delete_events = Posso toglierlo dal calendario?
approval-create_contacts = Posso metterlo in rubrica?
approval-set_contacts = Posso cambiarlo in rubrica?
approval-delete_contacts = Posso toglierlo dalla rubrica?
approval-find_urls = Posso cercarlo sul web?
approval-find_texts_web = Posso cercarlo sul web?
approval-find_places = Posso chiederlo a un servizio di mappe?
approval-get_weather = Posso chiederlo a un servizio meteo?
approval-set_devices_todo = Posso cambiare questo nella lista di Home Assistant?
approval-set_devices_todo-add = Posso mettere questo nella lista di Home Assistant?
approval-set_devices_todo-tick = Posso spuntare questo nella lista di Home Assistant?
approval-set_devices_todo-remove = Posso togliere questo dalla lista di Home Assistant?
approval-set_devices = Posso cambiare questo?
approval-set_devices-on = Posso accendere questo?
approval-set_devices-off = Posso spegnere questo?
approval-set_devices-open = Posso aprire questo?
approval-set_devices-close = Posso chiudere questo?
approval-set_devices-lock = Posso chiudere a chiave questo?
approval-get_urls = Posso scaricare questo?
approval-read_urls_html = Posso scaricare questo?
approval-within = { $count } in tutto, in { $folder } e nelle sue sottocartelle.
approval-in = { $count } in tutto, in { $folder } e basta: quello che sta nelle sue sottocartelle resta com'è.
file-kind = { $kind ->
    [directory] cartella
    [link] collegamento
    [other] file speciale
   *[file] file
}
approval-goes-to = Destinazione: { $place }.
approval-can-undo = Con “annulla” torna tutto come prima.
approval-cannot-undo = Non si può annullare.
approval-risk-low = Rischio: basso.
approval-risk-medium = Rischio: medio.
approval-risk-high = Rischio: alto.
approval-risk-critical = Rischio: molto alto.
approval-expires = La domanda resta aperta { $minutes } minuti.

location-ask = Dove sei? Condividi la posizione con il pulsante qui sotto, oppure scrivi un indirizzo o una città.
location-ask-in-words = Dove sei? Scrivi un indirizzo o una città, oppure “annulla”.
location-thanks = Grazie, ora so dove sei.
location-taken = Va bene, considero che sei qui: { $place }.
location-no-such-place = Non trovo questo luogo. Scrivilo con la città, condividi la posizione, oppure scrivi “annulla”.
location-not-looked-up = { $why } Puoi anche condividere la posizione, scriverla con due numeri (45.4642, 9.1900), oppure scrivere “annulla”.
button-share-location = 📍 Condividi la mia posizione
button-cancel = ✖ Annulla
button-done = ✔ Fatto
button-skip = ✖ Salta
button-yes = Sì
button-no = No
question-open = La domanda resta aperta { $minutes ->
    [one] { $minutes } minuto
   *[other] { $minutes } minuti
}.
question-expired = Ho aspettato la tua risposta, ma il tempo è scaduto: non ho fatto niente. Chiedimelo di nuovo se lo vuoi ancora.
question-expired-after = Ho aspettato la tua risposta, ma il tempo è scaduto, quindi mi sono fermato. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
question-cancelled = Va bene, lascio perdere. Non ho fatto niente.
question-cancelled-after = Va bene, lascio perdere il resto. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
question-set-aside = Metto da parte la mia domanda. Chiedimelo di nuovo se lo vuoi ancora.
question-given-up = Non capisco ancora la risposta, quindi lascio perdere. Non ho fatto niente; chiedimelo di nuovo se lo vuoi ancora.
question-given-up-after = Non capisco ancora la risposta, quindi lascio perdere il resto. Quello che ho fatto prima di chiedere resta; “annulla” lo disfa.
question-answered = A questa domanda hai già risposto.
question-passed-buttons = Nel frattempo mi hai chiesto altro: questo non può più rispondere alla mia domanda di prima, e non ho fatto nulla. I suoi pulsanti valgono ancora; oppure chiedimelo di nuovo.
question-passed = Nel frattempo mi hai chiesto altro: questo non può più rispondere alla mia domanda di prima, e non ho fatto nulla. Chiedimelo di nuovo.
question-none-open = Non ho domande aperte, quindi non c'è niente da confermare. Dimmi cosa ti serve.
question-closed = Questa domanda è chiusa. Non ho fatto niente.
ask-file = Quale file intendi?
ask-folder = Quale cartella intendi?
ask-destination = Dove deve andare?
ask-url = Quale indirizzo web intendi?
ask-query = Che cosa devo cercare?
ask-content = Che cosa devo scrivere?
ask-moment = Quando esattamente? Dillo così: “domani alle 9”, “fra 20 minuti” oppure “ogni lunedì alle 8”.
ask-text = Che cosa deve essere?
ask-secret = Scrivi la password o il codice.
ask-yes-no = Sì o no?
ask-choice = Quale?
ask-multi-choice = Quali?
ask-number = Quanti?
ask-date = In che giorno?
answer-taken = Segnato.
hint-pick-some = Prima segnane almeno uno, oppure annulla.
hint-or-cancel = Scrivi la risposta, oppure “annulla”.
hint-one-of = Scrivine uno o il suo numero, oppure “annulla”.
hint-only-one = Posso prenderne solo uno per volta. Scrivi quale, o il suo numero, e chiedimi l'altro dopo; oppure “annulla”.
hint-some-of = Scrivi i numeri, per esempio 1, 3, oppure “annulla”.
hint-yes-or-no = Rispondi sì o no, per favore.
hint-number = Mi serve un numero, per esempio 3 o 2,5, oppure “annulla”.
hint-date = Mi serve un giorno, per esempio 2026-12-24 o domani, oppure “annulla”.
hint-path = Mi serve un file o una cartella, per esempio ~/note.txt, oppure “annulla”.
hint-only-folder = Va in una cartella e tiene il suo nome. Scrivi solo la cartella, per esempio ~/documenti, oppure “annulla”; dopo lo puoi far rinominare.
secret-taken-back = La sigillo subito e tolgo il tuo messaggio da questa chat.
secret-taken-back-or-cancel = La sigillo subito e tolgo il tuo messaggio da questa chat. “annulla” la scarta.
secret-not-kept = La sigillo subito e non la tengo nella cronologia; resta visibile su questo schermo. “annulla” la scarta.
unlock-why = { $path } è protetto da una password.
unlock-wrong = Questa password non apre { $path }. Riprova.
unlock-ask = Qual è la sua password?
unlock-over = Nessuna di queste password apre { $path }, quindi resta chiuso. Per averlo così com'è, di' «mandami { $path }».
unlock-taken-back = La uso solo questa volta, non la conservo da nessuna parte e tolgo il tuo messaggio da questa chat.
unlock-taken-back-or-cancel = La uso solo questa volta, non la conservo da nessuna parte e tolgo il tuo messaggio da questa chat. “annulla” la scarta.
unlock-not-kept = La uso solo questa volta e non la conservo da nessuna parte; su questo schermo resta visibile. “annulla” la scarta.
hint-password = È troppo lunga per una password. Mandala di nuovo, oppure “annulla”.
account-ask-google-places = Hai una chiave per Google Places? Mandamela e vado avanti con quella.
account-taken-back = La sigillo subito e tolgo il tuo messaggio da questa chat. Con “salta” vado avanti senza, e per un mese non te lo chiedo più. Con /disconnect la dimentico.
account-not-kept = La sigillo subito e non la tengo nella cronologia; resta visibile su questo schermo. Con “salta” vado avanti senza, e per un mese non te lo chiedo più. Con /disconnect la dimentico.
account-forgotten = Ho dimenticato le chiavi che mi hai dato qui e non le uso più. Dove una servirebbe, te la chiedo di nuovo.
account-none = Qui non mi hai dato nessuna chiave. Quelle nella configurazione restano come sono.
hint-key = Questa non è una chiave: una chiave è una sola parola lunga, senza spazi. Mandala, oppure scrivi “salta”.

edit-too-late = Hai cambiato un messaggio di prima. Avevo già risposto, e da solo non rifaccio niente: mandalo come messaggio nuovo.
file-kept-at-a0 = { $count ->
    [one] Conservato come { $path }, come tutto quello che mi mandi, a ogni livello. “annulla” lo lascia lì: se non deve restare, toglilo tu da quella cartella.
   *[other] Conservati come { $path }, come tutto quello che mi mandi, a ogni livello. “annulla” li lascia lì: se non devono restare, toglili tu da quella cartella.
}
file-read-it = leggilo
file-kept = { $count ->
    [one] Conservato come { $path }. Dimmi che cosa farne, per esempio «salvalo in ~/documenti».
   *[other] Conservati come { $path }. Dimmi che cosa farne, per esempio «salvali in ~/documenti».
}
secret-delete-yourself = Non sono riuscito a togliere il tuo messaggio con il segreto. Cancellalo tu da questa chat; io lo tengo sigillato.
attach-how = Nel terminale scrivi /attach FILE e, se vuoi, che cosa farne: /attach ~/scansione.pdf salvalo in ~/documenti. Dal telefono manda direttamente il file.
attach-no-file = Non c'è nessun file { $path }. Controlla il percorso e riprova.
file-too-large = Questo file è troppo grande per me: arrivo fino a { $limit } MB.
file-gone = Questo file non è più sul server. Mandalo di nuovo, per favore.
file-damaged = Questo file è arrivato rovinato, quindi non l'ho conservato. Mandalo di nuovo, per favore.
file-not-fetched = Adesso non riesco a scaricare questo file. Mandalo di nuovo fra qualche minuto.
file-not-kept = Non riesco a conservare questo file su questa macchina. Chi la gestisce può controllare se il disco è pieno.

# Note vocali.

voice-heard = 🎙 «{ $text }»
voice-written = 🎙 «{ $text }»
    Sono le parole della nota che hai inoltrato; non ne ho fatto niente. La nota: { $path }.
voice-nothing = 🎙 Non ci ho sentito niente. Dillo di nuovo, oppure scrivilo.
voice-unsure = 🎙 Non sono sicuro di aver capito: «{ $text }». Non ho fatto niente; dillo di nuovo, oppure scrivilo.
voice-off = Ho conservato la tua nota vocale come { $path }, ma ancora non so ascoltare. { $who ->
    [host] Ci vuole un server vocale su questa macchina: imposta METNOS_SPEECH_URL, come mostra “Voice notes” nel README.
   *[other] Può cambiarlo il proprietario; fino ad allora scrivi, per favore.
}
voice-unreadable = Il server vocale non ha capito la tua nota; l'ho conservata come { $path }. Dillo di nuovo, oppure scrivilo.
voice-unavailable = { $why ->
    [none] Il server vocale non risponde.
   *[other] { $why }
} Non ho sentito niente, e ho conservato la nota come { $path }. Scrivilo, oppure dillo di nuovo più tardi.
voice-no-approval = Un sì potrei averlo capito male, perciò conta solo se tocchi la scheda o lo scrivi. Un no si può dire.
voice-no-secret = Le password non si dicono ad alta voce: scrivila, e la sigillo subito. Quello che ho sentito l'ho dimenticato.
speech-server-started = Il server vocale si sta avviando.
speech-server-failing = Il server vocale si è fermato { $failures ->
    [one] una volta
   *[other] { $failures } volte di fila
} ({ $reason }). Il suo registro è in `{ $log }`.
