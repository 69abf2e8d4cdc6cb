# The help of the command line.

cli-metnos = A household's personal assistant, on its own machine.
cli-metnos-chat = Talk in this terminal (the default); also answers Telegram and Matrix once they are set up.
cli-metnos-serve = Answer Telegram and Matrix without a terminal, until told to stop.
cli-metnos-doctor = Say what works and what does not, with the next step for each.
cli-metnos-pair = Make a one-time code that lets a person in: the host first, guests after.
cli-metnos-people = Show the people, change what each may do, lock one out, write out or erase what is kept about one.
cli-metnos-people-list = Show everybody (the default).
cli-metnos-people-rename = Give a person another name.
cli-metnos-people-language = Change the language a person is answered in.
cli-metnos-people-timezone = Change a person's time zone.
cli-metnos-people-quota = Change how much a person may use.
cli-metnos-people-revoke = Lock a person out, or one channel of theirs, at once. Their data is kept.
cli-metnos-people-export = Write everything about a person into a file, as JSON, without secrets.
cli-metnos-people-erase = Remove a person with everything about them, for good.
cli-metnos-autonomy = Change how much a person's requests, the host's when nobody is named, may do without asking.
cli-metnos-matrix = Connect a Matrix account.
cli-metnos-matrix-setup = Log in with the bot's password, once, and prepare its encryption; also brings a lost store back. What is left out is asked for; the password is read from the terminal or from standard input.
cli-metnos-config = Look at the configuration.
cli-metnos-config-check = Read it and say what is wrong, if anything.
cli-metnos-config-example = Print every setting with its default and what it is for.
cli-metnos-catalog = Look at the tools, or sign one of your own.
cli-metnos-catalog-list = List the tools, and those that are refused with the reason.
cli-metnos-catalog-sign = Sign a tool that you changed or added, and so trust it.

cli-arg-amount = A number, “none” or “default”
cli-arg-channel = Only this channel, such as “telegram”
cli-arg-code = “en” or “it”
cli-arg-help = Show this help
cli-arg-homeserver = The homeserver, such as example.org or https://matrix.example.org
cli-arg-kind = “turns” (an hour), “tasks” or “models” (calls a day)
cli-arg-level = From A0 (nothing) to A4 (nearly everything)
cli-arg-name = The new name
cli-arg-owner = Your own Matrix address: the bot belongs to it
cli-arg-to = The file; it must not be there yet
cli-arg-tool = The name of its folder
cli-arg-trace = Print after each answer which layer gave it and how long it took
cli-arg-user = The bot's user name
cli-arg-version = Show the version
cli-arg-who = A person, by name or id
cli-arg-whom = For one more phone or channel of this person, by name or id
cli-arg-yes = Do not ask
cli-arg-zone = The name of a zone, such as Europe/Rome

cli-heading-arguments = Arguments
cli-heading-commands = Commands
cli-heading-options = Options
cli-heading-usage = Usage
cli-value-command = COMMAND

cli-missing = Something is missing: { $what }
cli-needs-value = { $what } needs a value.
cli-next = “metnos --help” shows what there is.
cli-too-many = That is too much: { $what }
cli-twice = { $what } cannot stand here, or stands twice.
cli-unknown = I don't know “{ $what }”.
cli-unreadable = I can't read that: { $what }
