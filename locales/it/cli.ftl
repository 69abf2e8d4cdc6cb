# Quello che dice la riga di comando.

first-start-now = metnos è pronto con { $tools } strumenti: file, pagine web, elenchi, processi. Prova “che ore sono”, oppure /help.
first-start-channels = Per parlarmi dal telefono: imposta METNOS_TELEGRAM_TOKEN ed esegui “metnos pair” (Telegram, cinque minuti nel README). Oppure esegui “metnos matrix setup” (Matrix, altrettanto breve).
first-start-model = Per capire più di alcuni tipi di richieste: avvia un llama-server e imposta METNOS_LLM_URL (vedi “A language model” nel README).
welcome-back = metnos è pronto. /help mostra cosa so fare.
pair-code =
    Codice di collegamento: { $code } — vale una volta, per { $minutes } minuti. Mandalo al bot: /pair { $code }
    È per { $whom }.
pair-for-host = il proprietario di questo computer
pair-for-guest = un nuovo ospite; per te su un altro canale, usa “metnos pair --for host”
pair-for-person = { $name }, su un altro telefono o canale

people-exported = Tutto quello che riguarda { $name } è in { $file }, senza segreti. I file veri e propri sono nella cartella che vi è indicata.
people-export-exists = Non ho scritto nulla: { $file } c'è già. Dai a --to un altro nome, oppure sposta prima quel file.
people-erase-sure = Questo elimina { $name } ({ $id }) con tutti i messaggi, la memoria, i file e i registri, per sempre. Procedo? [s/N]
people-erase-needs-yes = Eliminare { $name } ({ $id }) non si può annullare. Aggiungi --yes per farlo senza domande.
people-erase-kept = Non ho eliminato nulla: { $name } ({ $id }) resta.
people-erase-host-running = metnos è in funzione, e { $name } ({ $id }) è il suo proprietario. Fermalo prima, poi riprova.
people-erase-busy = Una richiesta di { $name } ({ $id }) è ancora in corso. L'accesso è già chiuso; riprova tra un minuto.
people-erase-left = L'accesso di { $name } ({ $id }) è chiuso, ma non si è potuto eliminare tutto. Rimedia a quanto segue, poi ripeti lo stesso comando:
people-erased = { $name } ({ $id }) non c'è più, con tutto quello che conservavo.
people-erased-later = Il database era sempre in lettura, quindi le sue parti inutilizzate contengono ancora lettere di { $name } ({ $id }). Ferma metnos e riavvialo, poi esegui VACUUM.
serve-ready = metnos è in funzione. Si ferma con Ctrl-C o SIGTERM.
serve-without-matrix = Vado avanti senza Matrix; Telegram funziona.
serve-no-channel = Non c'è nessun canale da servire: imposta METNOS_TELEGRAM_TOKEN o esegui “metnos matrix setup” (vedi il README), oppure parla con “metnos chat”.

backup-done = La copia è intera: { $folder } ({ $size }).
backup-holds-keys = Contiene delle chiavi, e tutto quello che metnos sa di chi abita qui: tienila dove nessun altro può leggerla.
backup-keys-elsewhere = Non sono nella copia, perché la tua configurazione li tiene altrove: { $files }. Tieni una copia anche di questi.
backup-restore = Per rimetterla a posto, ferma metnos e mettila al posto di { $path }, oppure indicala in METNOS_DATA_DIR.
backup-nothing = Non c'è niente da copiare: in { $path } metnos non conserva ancora nulla. Se i suoi dati sono altrove, indica quella cartella in METNOS_DATA_DIR.
backup-taken = Non ho copiato nulla: { $path } c'è già, e non è una cartella vuota. Indica una cartella che non c'è ancora.
backup-inside = Non ho copiato nulla: { $path } è dentro la cartella dei dati, e andrebbe persa insieme a lei. Indica una cartella altrove, meglio se su un altro disco.
backup-no-parent = Non ho copiato nulla: la cartella { $path } non c'è. Se è su un altro disco, prima collegalo; altrimenti crea la cartella.
backup-whole-disk = Non ho copiato nulla: { $path } è un disco intero. Indica una cartella nuova al suo interno, per esempio { $path }/metnos.
backup-twice = Un'altra copia viene scritta in { $path } proprio adesso. Aspetta che finisca, o indica un'altra cartella.
backup-full = Non c'è posto per la copia: il disco di { $path } è pieno. Fai spazio, o indica una cartella su un altro disco.
backup-unwritable = La copia non si può scrivere in { $path }. Guarda se puoi scrivere lì e se il disco è in ordine, o indica un'altra cartella.
backup-unreadable = { $path } non si può leggere, perciò non c'è nessuna copia: non sarebbe intera. Guarda se il file è tuo e se il suo disco c'è, poi riprova.
backup-damaged = Il database { $path } è danneggiato, perciò non c'è nessuna copia. Conserva le copie che hai; rimetti l'ultima, o chiedi a «metnos doctor» che cosa funziona ancora.
backup-in-use = Il database { $path } è tenuto occupato da un altro programma, e non ho copiato nulla. Riprova tra un minuto; se non basta, prima ferma metnos.
backup-stopped = Fermato. Non c'è nessuna copia.
backup-left = Quello che era cominciato non si è potuto togliere, e può contenere delle chiavi. Toglilo tu: { $path }

doctor-data = Cartella dei dati: { $path }
doctor-sandbox-full = Sandbox: Landlock (ABI { $abi }) e seccomp sono attivi; nessuno strumento apre connessioni, e quelli di altri raggiungono solo gli host del loro manifest.
doctor-sandbox-degraded = Sandbox: a questo kernel manca Landlock o seccomp; valgono solo i limiti di risorse, come permette sandbox.mode = "degraded".
doctor-sandbox-missing = Sandbox: a questo kernel manca Landlock o seccomp, quindi gli strumenti per file e web non partono. Usa un kernel più recente, oppure imposta sandbox.mode = "degraded".
doctor-tool-reaches = { $name } raggiunge { $hosts }.
doctor-catalog = Strumenti: { $tools } firmati e pronti.
doctor-database = Database: a posto. Nessuno è ancora collegato su Telegram: esegui “metnos pair”.
doctor-database-paired = Database: a posto. L'host è collegato su Telegram.
doctor-database-broken = Database: { $reason }. Ripristinalo da una copia, oppure spostalo per ricominciare da capo.
doctor-answers-wait = Risposte: { $answers ->
    [one] una aspetta
   *[other] { $answers } aspettano
} che { $channel } torni raggiungibile, per { $name }; la più vecchia ha { $hours ->
    [one] un'ora
   *[other] { $hours } ore
}. Dopo un mese rinuncio.
doctor-answers-refused = Risposte: nell'ultimo mese { $channel } ne ha rifiutate per sempre { $answers ->
    [one] una
   *[other] { $answers }
} per { $name }, come quando la conversazione non c'è più o lì sono bloccato.
doctor-model-none = Modello: nessuno; i tipi di richieste noti funzionano lo stesso. Imposta METNOS_LLM_URL per usare un llama-server.
doctor-model-up = Modello: il llama-server su { $url } risponde.
doctor-model-down = Modello: il llama-server su { $url } non risponde. Avvialo, oppure correggi llm.url.
doctor-speech-none = Note vocali: nessun server vocale; restano file. Imposta METNOS_SPEECH_URL perché le ascolti.
doctor-speech-up = Note vocali: il server vocale su { $url } risponde.
doctor-speech-down = Note vocali: il server vocale su { $url } non risponde. Avvialo, oppure correggi speech.url.
doctor-captions = Didascalie delle foto: il modello accetta immagini e le scrive di notte ({ $model }).
doctor-captions-none = Didascalie delle foto: non se ne fanno, non c'è un modello che accetti immagini.
doctor-ocr = Parole nelle immagini: le legge Tesseract ({ $languages }).
doctor-ocr-none = Parole nelle immagini: non le legge nessuno. apt install tesseract-ocr tesseract-ocr-ita
doctor-outside = Il meteo viene da { $weather }; sul web cerca { $search }.
doctor-outside-nobody = nessuno
doctor-online-off = Modello online: nessuno viene interpellato; per un piano nessuna richiesta lascia questa macchina.
doctor-online = Modello online: { $model } presso { $provider }, mode = "{ $mode }". Speso oggi: { $day } di { $day_max } USD; questo mese: { $month } di { $month_max } USD.
doctor-online-gap = Modello online: mode = "{ $mode }", ma nessuno viene interpellato finché non imposti { $setting }.
doctor-online-broken = Modello online: { $reason }.
doctor-telegram-none = Telegram: nessun token. Il README mostra come si fa, in cinque minuti.
doctor-telegram-up = Telegram: il bot { $bot } è raggiungibile.
doctor-config-broken = Configurazione: { $mistake } Finché non la correggi non parte nulla; il resto qui sotto è stato controllato con i valori predefiniti.
doctor-mcp = Strumenti di altri: { $server } ne ha { $count }.
doctor-mcp-broken = Strumenti di altri: { $server } non risponde ({ $reason }). Vedi: metnos mcp list
doctor-catalog-broken = Strumenti: { $reason }. Correggi questo, poi eseguimi di nuovo.
doctor-catalog-unwatched = Strumenti: questo computer non può sorvegliare altri file, quindi uno strumento cambiato si vede solo al prossimo avvio di metnos. Per rimediare alza fs.inotify.max_user_instances.
doctor-model-own-down = Modello: all'indirizzo { $url } non risponde nessuno. metnos avvia da sé llama-server mentre è in funzione; se lo è adesso, guarda in { $log }.
doctor-matrix-none = Matrix: nessun account collegato. Il README mostra come fare, in cinque minuti.
doctor-matrix-up = Matrix: { $user } è connesso.
doctor-matrix-signed = Matrix: il suo dispositivo è firmato dalla sua identità.
doctor-matrix-unsigned = Matrix: il suo dispositivo non è firmato, e le altre app lo segnalano. Togli la cartella matrix/store dalla cartella dei dati ed esegui “metnos matrix setup”.
doctor-matrix-recovery = Matrix: la chiave di recupero funziona.
doctor-matrix-no-recovery = Matrix: la chiave di recupero in matrix/recovery-key.txt manca o non funziona. Rimettici la tua copia.
doctor-matrix-backup = Matrix: le chiavi dei messaggi hanno una copia di sicurezza.
doctor-matrix-no-backup = Matrix: le chiavi dei messaggi non hanno copia di sicurezza. Togli la cartella matrix/store dalla cartella dei dati ed esegui “metnos matrix setup”.
doctor-matrix-old-keys = Matrix: il suo archivio è più vecchio di quel che il server conosce, come dopo il ripristino di una copia. Togli la cartella matrix/store dalla cartella dei dati ed esegui “metnos matrix setup”.
doctor-matrix-verified = Matrix: il suo proprietario lo ha verificato.
doctor-matrix-unverified = Matrix: il suo proprietario non lo ha ancora verificato. Fallo nella tua app mentre gira “metnos serve”, e confronta le emoji con il registro.
doctor-matrix-no-owner = Matrix: non ha un proprietario. Scrivi il tuo indirizzo in matrix.owner nel file di configurazione, così puoi verificarlo.

config-ok = La configurazione va bene: { $file }
config-ok-without-file = La configurazione va bene: nessun file, solo i valori predefiniti.
config-data-folder = Tutto sta in { $folder }
autonomy-no-such-level = I livelli vanno da A0 ad A4, non «{ $level }».
autonomy-changed = { $who }: { $level } (prima { $before })
catalog-signed = Firmato, quindi fidato: { $name }
catalog-refused = Rifiutato: { $reason }
config-no-provider = Modalità «{ $mode }»: nessun fornitore viene interpellato prima che sia impostato «{ $setting }».

config-error-missing = { $file } non c'è. Correggi il nome, o togli l'impostazione.
config-error-read = { $file } non si può leggere: { $reason }
config-error-parse =
    { $file } non è una configurazione valida; «metnos config example» mostra ogni impostazione.
    { $reason }
config-error-key = «{ $setting }»: { $reason }. «metnos config example» mostra ogni impostazione.
config-error-value = «{ $setting }» non può essere «{ $value }»; può essere { $expected }.
config-error-exposed = { $file } contiene un segreto, e altri su questa macchina possono leggerlo. Chiudilo: chmod 600 { $file }
config-error-no-home = Non so dove tenere tutto: imposta HOME, o METNOS_DATA_DIR.
config-expects-at-least = { $least } o più
config-expects-dollars = un importo in dollari, 0 o più
config-expects-engine = «auto», «simple», «metis» o «frontier»
config-expects-folder = una cartella, a partire da / o ~/
config-expects-mcp = un comando che inizia con un percorso completo, oppure un url; nel nome solo lettere minuscole e cifre
config-expects-below-home = una cartella dentro la home, come .calendar
config-expects-folder-at-home = una cartella dentro la home, come ~/note
config-expects-https = un indirizzo che comincia con https://
config-expects-integer = un numero intero
config-expects-language = «en», «it», oppure il codice di una lingua aggiunta
config-expects-speech-url = usato solo insieme a speech.url, il suo indirizzo
config-expects-llm-url = usato solo insieme a llm.url, il suo indirizzo
config-expects-matrix-address = un indirizzo come @ada:example.org
config-expects-mode = «local», «online» o «hybrid»
config-expects-number = un numero
config-expects-no-login = un indirizzo senza nome né password
config-expects-point = un punto come 45.4642, 9.1900
config-expects-country = un paese: IT, US, GB o IE
config-expects-patron = una grande città italiana come Milano, o una data e un nome come 06-24 San Giovanni
config-expects-price = un prezzo in dollari, o 0 finché non si sa
config-expects-provider = «anthropic» o «openai»
config-expects-sandbox-mode = «required» o «degraded»
config-expects-hold = un numero di secondi da 0 a 120
config-expects-share = un numero da 0 a 1
config-expects-switch = «on» oppure «off»
config-expects-temperature = un numero da 0 a 2
config-expects-timezone = il nome di un fuso come Europe/Rome
config-expects-web-address = un indirizzo web come http://127.0.0.1:8080

config-unknown-variable = { $name } è impostata, ma non conosco un'impostazione così; «metnos config example» le mostra tutte.
config-unknown-variable-near = { $name } è impostata, ma non conosco un'impostazione così. Intendevi { $nearest }?

start-failed = metnos non può andare avanti: { $reason }
start-broken = Questa copia di metnos è danneggiata. Installala di nuovo.
start-folder = La cartella { $path } non si può creare.
start-file = { $path } non si può scrivere.
start-logs = Il registro non si può scrivere.
start-database = Il database non si può aprire. Rimetti una copia di riserva, o spostalo per ricominciare da capo.
start-pairing-key = La chiave che firma i codici di abbinamento non si può aprire.
start-catalog = Gli strumenti non si possono leggere.
start-speech = Il server vocale non si può avviare; guarda speech.server.command.
start-model = llama-server non si può avviare; guarda llm.server.command.
start-services = Il web non si raggiunge da qui: i servizi non si possono preparare.
start-open-messages = I messaggi rimasti aperti non si possono riprendere.
start-running = metnos è già in funzione con la cartella dei dati { $path }. Fermalo prima, o dai a METNOS_DATA_DIR un'altra cartella.
start-own-binary = metnos non trova il proprio programma.
start-terminal = Il terminale non si può usare.

## metnos why

why-request = Turno { $turn }: «{ $request }»
why-answered = Ha risposto { $layer } ({ $ending }) in { $ms } ms.
why-note = · { $note }
why-call = Chiamata al modello ({ $workload }): { $read } token letti, { $cached } dalla cache, { $written } scritti, { $ms } ms.
why-plan-accepted = Questo piano andava bene: { $plan }
why-plan-refused = Questo piano è stato rifiutato: { $plan }
why-model-said = Il modello ha detto: { $plan }
why-wrong = · { $what }
why-step = Passo { $number }: { $tool }, fatto.
why-step-failed = Passo { $number }: { $tool }, non riuscito: { $error }.
why-said = La risposta: { $answer }
why-no-turn = Il registro è vuoto: nessuno ha ancora chiesto niente.
why-no-such-turn = Nessun turno nel registro comincia con «{ $turn }». Con `metnos why` da solo vedi l'ultimo.
why-unreadable = Non riesco a leggere il registro dei turni. Controlla chi può leggere la cartella dei dati.
why-no-turn-here = Qui non hai ancora chiesto niente.
why-no-such-turn-here = Nessuna delle tue richieste ha un id che comincia con «{ $turn }». Con /why da solo vedi l'ultima.
