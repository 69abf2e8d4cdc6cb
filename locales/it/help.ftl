# L'aiuto della riga di comando.

cli-metnos = L'assistente personale di una casa, sulla propria macchina.
cli-metnos-chat = Parla in questo terminale (se non dici altro); risponde anche su Telegram e Matrix, quando sono collegati.
cli-metnos-serve = Rispondi su Telegram e Matrix senza terminale, finché non vieni fermato.
cli-metnos-doctor = Di' che cosa funziona e che cosa no, con il prossimo passo per ciascuna.
cli-metnos-pair = Crea un codice usa e getta che fa entrare una persona: prima chi ospita, poi gli ospiti.
cli-metnos-people = Mostra le persone, cambia che cosa può fare ciascuna, chiudi fuori qualcuno, esporta o cancella quanto è conservato.
cli-metnos-people-list = Mostra tutti (se non dici altro).
cli-metnos-people-rename = Dai un altro nome a una persona.
cli-metnos-people-language = Cambia la lingua in cui si risponde a una persona.
cli-metnos-people-timezone = Cambia il fuso orario di una persona.
cli-metnos-people-quota = Cambia quanto può usare una persona.
cli-metnos-people-revoke = Chiudi subito fuori una persona, o un suo canale. I suoi dati restano.
cli-metnos-people-export = Scrivi tutto su una persona in un file, come JSON, senza segreti.
cli-metnos-people-erase = Togli per sempre una persona con tutto ciò che la riguarda.
cli-metnos-autonomy = Cambia quanto possono fare senza chiedere le richieste di una persona; di chi ospita, se non nomini nessuno.
cli-metnos-matrix = Collega un account Matrix.
cli-metnos-matrix-setup = Entra una volta con la password del bot e prepara la cifratura; riporta anche indietro un archivio perduto. Ciò che manca viene chiesto; la password si legge dal terminale o dallo standard input.
cli-metnos-config = Guarda la configurazione.
cli-metnos-config-check = Leggila e di' che cosa è sbagliato, se qualcosa lo è.
cli-metnos-config-example = Stampa ogni impostazione con il suo valore predefinito e a che cosa serve.
cli-metnos-catalog = Guarda gli strumenti, o firmane uno tuo.
cli-metnos-catalog-list = Elenca gli strumenti, e quelli rifiutati con il motivo.
cli-metnos-catalog-sign = Firma uno strumento che hai cambiato o aggiunto, e quindi fidatene.

cli-arg-amount = Un numero, «none» o «default»
cli-arg-channel = Solo questo canale, per esempio «telegram»
cli-arg-code = «en» o «it»
cli-arg-help = Mostra questo aiuto
cli-arg-homeserver = Il server, per esempio example.org o https://matrix.example.org
cli-arg-kind = «turns» (all'ora), «tasks» o «models» (chiamate al giorno)
cli-arg-level = Da A0 (niente) ad A4 (quasi tutto)
cli-arg-name = Il nuovo nome
cli-arg-owner = Il tuo indirizzo Matrix: il bot appartiene a lui
cli-arg-to = Il file; non deve esserci ancora
cli-arg-tool = Il nome della sua cartella
cli-arg-trace = Stampa dopo ogni risposta quale strato l'ha data e quanto ci ha messo
cli-arg-user = Il nome utente del bot
cli-arg-version = Mostra la versione
cli-arg-who = Una persona, per nome o id
cli-arg-whom = Per un altro telefono o canale di questa persona, per nome o id
cli-arg-yes = Non chiedere
cli-arg-zone = Il nome di un fuso, per esempio Europe/Rome

cli-heading-arguments = Argomenti
cli-heading-commands = Comandi
cli-heading-options = Opzioni
cli-heading-usage = Uso
cli-value-command = COMANDO

cli-missing = Manca qualcosa: { $what }
cli-needs-value = { $what } vuole un valore.
cli-next = «metnos --help» mostra che cosa c'è.
cli-too-many = Questo è di troppo: { $what }
cli-twice = { $what } qui non può stare, o c'è due volte.
cli-unknown = Non conosco «{ $what }».
cli-unreadable = Non riesco a leggerlo: { $what }
