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
