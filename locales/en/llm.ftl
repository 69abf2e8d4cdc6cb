# The language model: what a person is told about it.

llm-not-configured = No language model is connected. I can still do everything I have already learned and the simpler things. To connect one, set `url` under `[llm]` in the configuration.
llm-down = The language model does not answer right now. Please try again in a few minutes; what I already know how to do keeps working.
llm-loading = The language model is still starting. Please try again in a minute.
llm-slow = The language model took longer than { $seconds } seconds, so I stopped waiting. Please try again, or ask for one thing at a time.
llm-refused = The language model refused this request. Please try a shorter one.
llm-unreadable = The language model gave an answer I cannot use. Please say it in other words.
llm-no-calls-left = You have no model calls left for today. There are more after midnight; what I already know how to do keeps working.
llm-server-started = The language model is starting.
llm-server-failing = The language model has stopped { $failures ->
    [one] once
   *[other] { $failures } times in a row
} ({ $reason }). Its log is in `{ $log }`.

# A model outside the house, where the household lets it be asked.
online-not-ready = I may ask an online model, but it is not set up yet. “metnos doctor” says what is missing.
online-holds-secret = Your message seems to hold a password or the like. I did not send it to the online model, and I cannot work it out here. Please ask again without it.
online-day-spent = Too little is left of what may be spent on the online model today, and I cannot work this out without it. It goes on tomorrow; what I already know how to do keeps working.
online-month-spent = Too little is left of what may be spent on the online model this month, and I cannot work this out without it. What I already know how to do keeps working.
online-down = The online model does not answer right now. Please try again in a few minutes; what I already know how to do keeps working.
online-slow = The online model took longer than { $seconds } seconds, so I stopped waiting. Please try again, or ask for one thing at a time.
online-key-refused = The provider of the online model refused our key. The host can put a valid one into the file that llm.online.key_file names.
online-busy = The online model has too much to do right now. Please try again in a minute.
online-busy-for = The online model has too much to do right now. Please try again in { $seconds } seconds.
online-no-credit = The account at the provider of the online model has no credit left. The host can add some there.
online-refused = The online model refused this request. Please try a shorter one.
online-unreadable = The online model gave an answer I cannot use. Please say it in other words.
