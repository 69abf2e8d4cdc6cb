### Quello che il canale Telegram dice da sé.

telegram-private-only = Parlo solo in chat private. Apri una chat con me e scrivimi lì.

## Il menu dei comandi.

telegram-command-help = Che cosa so fare
telegram-command-status = Come sono configurato
telegram-command-undo = Annulla l'ultima modifica
telegram-command-stop = Ferma quello che sto facendo

## Quello che `metnos doctor` dice del bot.

telegram-advice-no-token = Manca ancora il token del bot. Crea un bot con @BotFather e metti il suo token nel file di configurazione.
telegram-advice-bad-url = L'indirizzo { $url } in telegram.api_url non è un indirizzo web. Usa https://api.telegram.org oppure l'indirizzo del tuo server.
telegram-advice-bad-token = Telegram non conosce questo token. Copialo di nuovo da @BotFather.
telegram-advice-other-poller = Un altro programma legge i messaggi di questo bot. Fermalo, oppure crea un secondo bot per metnos.
telegram-advice-webhook = I messaggi di questo bot vanno a un webhook. Rimuovilo con deleteWebhook, oppure crea un secondo bot per metnos.
telegram-advice-unreachable = Telegram non risponde ({ $reason }). Controlla la rete; metnos continua a provare.
telegram-advice-unexpected = Telegram ha rifiutato la richiesta ({ $reason }). Riprova più tardi, oppure guarda nel log.
telegram-file-gone = Non ho potuto portare { $names }: non è più dov'era.
telegram-file-too-large = Non ho potuto portare { $names }: supera { $limit } MB, il massimo che Telegram accetta da me.
telegram-attachment-refused = Telegram non ha accettato ciò che volevo allegare, quindi ecco solo le parole.
