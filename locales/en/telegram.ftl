### What the Telegram channel says on its own.

telegram-private-only = I only talk in private chats. Open a chat with me and write there.

## The menu of commands.

telegram-command-help = What I can do
telegram-command-status = How I am set up
telegram-command-undo = Take back the last change
telegram-command-stop = Stop what I am doing

## What `metnos doctor` says about the bot.

telegram-advice-no-token = No bot token yet. Create a bot with @BotFather and put its token into the config file.
telegram-advice-bad-url = The address { $url } in telegram.api_url is not a web address. Use https://api.telegram.org, or your own server's address.
telegram-advice-bad-token = Telegram does not know this token. Copy it again from @BotFather.
telegram-advice-other-poller = Another program reads this bot's messages. Stop it, or create a second bot for metnos.
telegram-advice-webhook = This bot's messages go to a webhook. Remove the webhook with deleteWebhook, or create a second bot for metnos.
telegram-advice-unreachable = Telegram does not answer ({ $reason }). Check the network; metnos keeps trying.
telegram-advice-unexpected = Telegram refused the request ({ $reason }). Try again later, or look into the log.
telegram-file-gone = I could not bring { $names }: it is no longer where it was.
telegram-file-too-large = I could not bring { $names }: it is larger than { $limit } MB, which is the most that Telegram takes from me.
telegram-attachment-refused = Telegram did not take what I wanted to bring along, so here are only the words.
