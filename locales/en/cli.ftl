# What the command line says.

first-start-now = metnos is ready with { $tools } tools: files, web pages, lists, processes. Try “what time is it”, or /help.
first-start-channels = To talk from a phone: set METNOS_TELEGRAM_TOKEN and run “metnos pair” (Telegram, five minutes in the README). Or run “metnos matrix setup” (Matrix, just as short).
first-start-model = To understand more than fixed kinds of requests: run a llama-server and set METNOS_LLM_URL (see “A language model” in the README).
welcome-back = metnos is ready. /help shows what I can do.
pair-code =
    Pairing code: { $code } — good once, for { $minutes } minutes. Send it to the bot: /pair { $code }
    It is for { $whom }.
pair-for-host = the host, whose machine this is
pair-for-guest = a new guest; for yourself on another channel, use “metnos pair --for host”
pair-for-person = { $name }, on one more phone or channel

people-exported = Everything about { $name } is in { $file }, without secrets. The files themselves are in the folder it names.
people-export-exists = Nothing was written: { $file } is already there. Give --to another name, or move that file away first.
people-erase-sure = This removes { $name } ({ $id }) with all messages, memory, files and records, for good. Go on? [y/N]
people-erase-needs-yes = Erasing { $name } ({ $id }) cannot be undone. Add --yes to do it without being asked.
people-erase-kept = Nothing was removed: { $name } ({ $id }) stays.
people-erase-host-running = metnos is running, and { $name } ({ $id }) is its host. Stop it first, then try again.
people-erase-busy = A request of { $name } ({ $id }) is still being worked on. They are locked out already; try again in a minute.
people-erase-left = { $name } ({ $id }) is locked out, but not everything could be removed. Put right what is named here, then say the same again:
people-erased = { $name } ({ $id }) is gone, with everything I kept about them.
people-erased-later = The database was being read all the time, so its unused places still hold letters of { $name } ({ $id }). Stop metnos and start it again, then erase anybody else or run VACUUM.
serve-ready = metnos is running. Stop it with Ctrl-C or SIGTERM.
serve-without-matrix = Going on without Matrix; Telegram works.
serve-no-channel = There is no channel to serve: set METNOS_TELEGRAM_TOKEN or run “metnos matrix setup” (see the README), or talk with “metnos chat”.

backup-done = The copy is whole: { $folder } ({ $size }).
backup-holds-keys = It holds keys, and everything metnos knows about everybody here: keep it where nobody else can read it.
backup-keys-elsewhere = Not in it, as your configuration keeps them elsewhere: { $files }. Keep a copy of these, too.
backup-restore = To bring it back, stop metnos and put it in the place of { $path }, or name it in METNOS_DATA_DIR.
backup-nothing = There is nothing to copy: metnos keeps nothing in { $path } yet. If it keeps its data elsewhere, name that folder in METNOS_DATA_DIR.
backup-taken = Nothing was copied: { $path } is already there, and it is not an empty folder. Name a folder that is not there yet.
backup-inside = Nothing was copied: { $path } is inside the data folder, and would be lost together with it. Name a folder elsewhere, best on another disk.
backup-no-parent = Nothing was copied: there is no folder { $path }. If it is on another disk, connect that first; if not, make the folder.
backup-whole-disk = Nothing was copied: { $path } is a disk of its own. Name a new folder on it, such as { $path }/metnos.
backup-twice = Another copy is being written to { $path } right now. Wait until it is done, or name another folder.
backup-full = There is no room for the copy: the disk of { $path } is full. Make room, or name a folder on another disk.
backup-unwritable = The copy cannot be written to { $path }. Look whether you may write there and whether the disk is in order, or name another folder.
backup-unreadable = { $path } cannot be read, so there is no copy: it would not be whole. Look whether the file is yours and its disk is there, then try again.
backup-damaged = The database { $path } is damaged, so there is no copy. Keep the copies you have; bring back the last one, or ask “metnos doctor” what still works.
backup-in-use = The database { $path } is kept busy by another program, and nothing was copied. Try again in a minute; if that does not help, stop metnos first.
backup-stopped = Stopped. There is no copy.
backup-left = What was begun could not be removed, and it may hold keys. Remove it yourself: { $path }

doctor-data = Data folder: { $path }
doctor-sandbox-full = Sandbox: Landlock (ABI { $abi }) and seccomp are in force; no tool opens a socket, and those of others reach the hosts of their manifest alone.
doctor-sandbox-degraded = Sandbox: this kernel lacks Landlock or seccomp; resource limits alone are in force, as sandbox.mode = "degraded" allows.
doctor-sandbox-missing = Sandbox: this kernel lacks Landlock or seccomp, so tools that touch files or the web will not run. Use a newer kernel, or set sandbox.mode = "degraded".
doctor-tool-reaches = { $name } reaches { $hosts }.
doctor-catalog = Tools: { $tools } signed and ready.
doctor-database = Database: fine. Nobody is paired on Telegram yet: run “metnos pair”.
doctor-database-paired = Database: fine. The host is paired on Telegram.
doctor-database-broken = Database: { $reason }. Restore it from a backup, or move it away to start afresh.
doctor-answers-wait = Answers: { $answers ->
    [one] one waits
   *[other] { $answers } wait
} for { $channel } to be reached and then { $answers ->
    [one] goes
   *[other] go
} to { $name }; the oldest is { $hours ->
    [one] one hour
   *[other] { $hours } hours
} old. After a month I give up.
doctor-answers-refused = Answers: { $channel } refused { $answers ->
    [one] one
   *[other] { $answers }
} for { $name } for good in the last month, as when the conversation is gone or I am blocked there.
doctor-model-none = Model: none set; known kinds of requests work without one. Set METNOS_LLM_URL to use a llama-server.
doctor-model-up = Model: llama-server at { $url } answers.
doctor-model-down = Model: llama-server at { $url } does not answer. Start it, or correct llm.url.
doctor-speech-none = Voice notes: no speech server set; they are kept as files. Set METNOS_SPEECH_URL to have them heard.
doctor-speech-up = Voice notes: the speech server at { $url } answers.
doctor-speech-down = Voice notes: the speech server at { $url } does not answer. Start it, or correct speech.url.
doctor-captions = Captions of photos: the model takes pictures and writes them by night ({ $model }).
doctor-captions-none = Captions of photos: none are made, there is no model that takes pictures.
doctor-ocr = Words in pictures: Tesseract reads them ({ $languages }).
doctor-ocr-none = Words in pictures: nobody reads them. apt install tesseract-ocr tesseract-ocr-ita
doctor-outside = The weather comes from { $weather }; the web is searched by { $search }.
doctor-outside-nobody = nobody
doctor-online-off = Online model: none is asked; no request leaves this machine for a plan.
doctor-online = Online model: { $model } at { $provider }, mode = "{ $mode }". Spent today: { $day } of { $day_max } USD; this month: { $month } of { $month_max } USD.
doctor-online-gap = Online model: mode = "{ $mode }", but nobody is asked before you set { $setting }.
doctor-online-broken = Online model: { $reason }.
doctor-telegram-none = Telegram: no token set. The README shows how, in five minutes.
doctor-telegram-up = Telegram: the bot { $bot } is reachable.
doctor-config-broken = Configuration: { $mistake } Until you correct it, nothing starts; the rest below was checked with defaults.
doctor-mcp = Tools of others: { $server } has { $count }.
doctor-mcp-broken = Tools of others: { $server } does not answer ({ $reason }). See: metnos mcp list
doctor-catalog-broken = Tools: { $reason }. Correct that, then run me again.
doctor-catalog-unwatched = Tools: this machine has no file watches left, so a changed tool is seen only when metnos starts again. Raise fs.inotify.max_user_instances to change that.
doctor-model-own-down = Model: nothing answers at { $url }. metnos starts llama-server itself while it runs; if it runs now, look into { $log }.
doctor-matrix-none = Matrix: no account set up. The README shows how, in five minutes.
doctor-matrix-up = Matrix: { $user } is logged in.
doctor-matrix-signed = Matrix: its device is signed by its own identity.
doctor-matrix-unsigned = Matrix: its device is not signed, so other apps warn about it. Remove the folder matrix/store in the data folder and run “metnos matrix setup”.
doctor-matrix-recovery = Matrix: the recovery key works.
doctor-matrix-no-recovery = Matrix: the recovery key in matrix/recovery-key.txt is missing or does not work. Put your copy there.
doctor-matrix-backup = Matrix: keys of messages are backed up.
doctor-matrix-no-backup = Matrix: keys of messages are not backed up. Remove the folder matrix/store in the data folder and run “metnos matrix setup”.
doctor-matrix-old-keys = Matrix: its store is older than what the homeserver knows, as after putting back a copy. Remove the folder matrix/store in the data folder and run “metnos matrix setup”.
doctor-matrix-verified = Matrix: its owner has verified it.
doctor-matrix-unverified = Matrix: its owner has not verified it yet. Do so in your app, while “metnos serve” runs, and compare the emoji with the log.
doctor-matrix-no-owner = Matrix: it has no owner. Name yourself as matrix.owner in the config file, so that you can verify it.

config-ok = The configuration is right: { $file }
config-ok-without-file = The configuration is right: no file, defaults only.
config-data-folder = Everything lives in { $folder }
autonomy-no-such-level = The levels are A0 to A4, not “{ $level }”.
autonomy-changed = { $who }: { $level } (was { $before })
catalog-signed = Signed, and so trusted: { $name }
catalog-refused = Refused: { $reason }
config-no-provider = Mode “{ $mode }”: no provider is asked before “{ $setting }” is set.

config-error-missing = { $file } is not there. Correct the name, or leave the setting out.
config-error-read = { $file } cannot be read: { $reason }
config-error-parse =
    { $file } is not a valid configuration; “metnos config example” shows every setting.
    { $reason }
config-error-key = “{ $setting }”: { $reason }. “metnos config example” shows every setting.
config-error-value = “{ $setting }” cannot be “{ $value }”; it can be { $expected }.
config-error-exposed = { $file } holds a secret, and others on this machine can read it. Close it: chmod 600 { $file }
config-error-no-home = Where to keep everything is not known: set HOME, or METNOS_DATA_DIR.
config-expects-at-least = { $least } or more
config-expects-dollars = an amount of US dollars, 0 or more
config-expects-engine = “auto”, “simple”, “metis” or “frontier”
config-expects-folder = a folder, from / or ~/ on
config-expects-mcp = either a command that begins with a whole path, or a url; letters and digits alone in its name
config-expects-below-home = a folder below the home, such as .calendar
config-expects-folder-at-home = a folder below the home, such as ~/notes
config-expects-https = an address that begins with https://
config-expects-integer = a whole number
config-expects-language = “en”, “it”, or the code of a language that was added
config-expects-speech-url = used only together with speech.url, its address
config-expects-llm-url = used only together with llm.url, its address
config-expects-matrix-address = an address such as @ada:example.org
config-expects-mode = “local”, “online” or “hybrid”
config-expects-number = a number
config-expects-no-login = an address without a name or a password
config-expects-point = a point such as 45.4642, 9.1900
config-expects-country = a country: IT, US, GB or IE
config-expects-patron = a larger Italian town such as Milano, or a date and a name such as 06-24 San Giovanni
config-expects-price = a price in US dollars, or 0 while it is not known
config-expects-provider = “anthropic” or “openai”
config-expects-sandbox-mode = “required” or “degraded”
config-expects-hold = a number of seconds from 0 to 120
config-expects-share = a number from 0 to 1
config-expects-switch = “on” or “off”
config-expects-temperature = a number from 0 to 2
config-expects-timezone = the name of a zone such as Europe/Rome
config-expects-web-address = a web address such as http://127.0.0.1:8080

config-unknown-variable = { $name } is set, but I know no such setting; “metnos config example” shows every one.
config-unknown-variable-near = { $name } is set, but I know no such setting. Did you mean { $nearest }?

start-failed = metnos cannot go on: { $reason }
start-broken = This copy of metnos is damaged. Install it again.
start-folder = The folder { $path } cannot be made.
start-file = { $path } cannot be written.
start-logs = The log cannot be written.
start-database = The database cannot be opened. Restore it from a backup, or move it away to start afresh.
start-pairing-key = The key that signs pairing codes cannot be opened.
start-catalog = The tools cannot be read.
start-speech = The speech server cannot be started; see speech.server.command.
start-model = llama-server cannot be started; see llm.server.command.
start-services = The web cannot be reached from here: the services cannot be prepared.
start-open-messages = The messages that were left open cannot be taken up.
start-running = metnos is already running with the data folder { $path }. Stop it first, or set METNOS_DATA_DIR to another.
start-own-binary = metnos cannot find its own program file.
start-terminal = The terminal cannot be used.

## metnos why

why-request = Turn { $turn }: “{ $request }”
why-answered = Answered by { $layer } ({ $ending }) in { $ms } ms.
why-note = · { $note }
why-call = Model call ({ $workload }): { $read } tokens read, { $cached } of them from the cache, { $written } written, { $ms } ms.
why-plan-accepted = This plan was good enough to run: { $plan }
why-plan-refused = This plan was refused: { $plan }
why-model-said = The model said: { $plan }
why-wrong = · { $what }
why-step = Step { $number }: { $tool }, done.
why-step-failed = Step { $number }: { $tool }, failed with { $error }.
why-said = The answer: { $answer }
why-no-turn = The log is empty: nobody asked anything yet.
why-no-such-turn = No turn in the log begins with “{ $turn }”. `metnos why` alone shows the last one.
why-unreadable = I cannot read the turn log. Check who may read the data folder.
why-no-turn-here = You asked nothing here yet.
why-no-such-turn-here = None of your requests has an id that begins with “{ $turn }”. /why alone shows the last one.
