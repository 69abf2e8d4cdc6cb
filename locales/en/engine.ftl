# What the cascade says: fixed answers, remarks below an answer, dead ends.

answer-time = { $hour ->
   *[other] It's { $time }.
}
answer-date = Today is { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }, { $year }.
answer-day-of = { $tense ->
    [past] That was
   *[ahead] That is
} { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }, { $year }.
answer-days-until = { $days ->
    [0] That is today,
    [one] One day, until
   *[other] { $days } days, until
} { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }, { $year }.
answer-weeks-until = { $weeks ->
    [one] One week
   *[other] { $weeks } weeks
}{ $days ->
    [0] { "" }
    [one] { " " }and one day
   *[other] { " " }and { $days } days
}, until { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }, { $year }.
answer-days-since = { $days ->
    [0] That is today,
    [one] One day, since
   *[other] { $days } days, since
} { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }, { $year }.
answer-time-until = { $hours ->
    [0] { $minutes ->
        [one] One minute
       *[other] { $minutes } minutes
    }
    [one] One hour{ $minutes ->
        [0] { "" }
        [one] { " " }and one minute
       *[other] { " " }and { $minutes } minutes
    }
   *[other] { $hours } hours{ $minutes ->
        [0] { "" }
        [one] { " " }and one minute
       *[other] { " " }and { $minutes } minutes
    }
}, until { $time }.
answer-year = It's { $year }.
answer-month = It's { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $year }.
answer-week = It's week { $week } of { $year }.
hello-back = { $hour ->
    [4] Good morning
    [5] Good morning
    [6] Good morning
    [7] Good morning
    [8] Good morning
    [9] Good morning
    [10] Good morning
    [11] Good morning
    [18] Good evening
    [19] Good evening
    [20] Good evening
    [21] Good evening
    [22] Good evening
    [23] Good evening
   *[other] Hello
}! What can I do for you? /help shows what I can do.
you-are-welcome = You're welcome! I'm here whenever you need me.
bye-back = Goodbye! I'm here whenever you need me.
good-night-back = Good night! I'm here whenever you need me.
who-are-you = I'm metnos, your household's assistant. I live on your own machine, and what you tell me stays there. /help shows what I can do.
status =
    I can use { $tools } tools{ $refused ->
        [0] { "" }
       *[other] { " " }({ $refused } refused, see “metnos doctor”)
    }. You asked { $turns ->
        [one] one thing
       *[other] { $turns } things
    }, { $memory } of them answered from memory.
    I remember { $fastpaths } requests and { $autopaths } ways of doing things. Autonomy: { $autonomy }. { $model } { $next }
status-no-task = Nothing is set to happen by itself.
status-next-task = { $count ->
    [one] One thing is set to happen:
   *[other] { $count } things are set to happen; next:
} { $label }, { $moment }.
status-model-online = The language model is an online one.
status-model-none = No language model is connected.
status-model-up = The language model answers.
status-model-down = The language model does not answer right now.
autonomy-same = Autonomy is already { $level }.
autonomy-lowered = Done: autonomy is { $level } from now on.
autonomy-raise-needs-command = Raising autonomy needs more than a message. On the machine itself, run: metnos autonomy { $level } { $actor }

answer-nothing-to-show = Done.
answer-nothing-to-do = I found nothing that fits, so nothing was changed.
answer-nothing-found = I found nothing.
answer-value-missing = There is no “{ $name }” in what I got.
answer-and-more = { $count ->
    [one] … and one more.
   *[other] … and { $count } more.
}
note-truncated = Only the first { $used } were looked at; there are more.
note-truncated-of = Only { $used } of { $total } were looked at.
note-not-all-searched = I did not look everywhere: there is too much, it lies too deep, or it cannot be opened. Name a folder, and I look there.
note-unreadable = { $count ->
    [one] One file or folder could not be opened, so what is in it is missing here.
   *[other] { $count } files or folders could not be opened, so what is in them is missing here.
}
note-text-cut = The text is longer: only the first { $shown } characters are shown.
nearest-find = “find { $path }”
nearest-own = “{ $request }”
nearest-read = “read { $path }”
nearest-tool = “{ $purpose }”
note-near-taken = Nothing is called “{ $said }”, so this is { $name }, which comes nearest.
note-nearest = This I can do: { $request }.
note-some-failed = { $count ->
    [one] One did not work.
   *[other] { $count } did not work.
} { $first }{ $others ->
    [0] { "" }
   *[other] { " " }Not done either: { $names }{ $more ->
        [0] .
       *[other] { "" } and { $more } more.
    }
}

progress-about-seconds = { $what } This usually takes about { $count } s.
progress-about-minutes = { $what } This usually takes about { $count ->
    [one] a minute
   *[other] { $count } minutes
}.
progress-planning = Making a plan…
progress-reading = Reading…
progress-searching = Searching…
progress-writing = Writing…
progress-moving = Moving…
progress-deleting = Deleting…
progress-describing = Summing it up…
progress-working = Working on it…
clarify-intent = I'm not sure what you mean by “{ $request }”. What should I do, and with what?

stopped-cap-steps = This took more steps than I allow myself, so I stopped. Please ask for a smaller part of it.
stopped-cap-same-executor = I was doing the same thing over and over, so I stopped. Please ask for a smaller part of it.
stopped-loop-break = The same step failed the same way twice, so I stopped. Please say it differently.
stopped-needs-inputs = I need to know on what. Please name the file, folder or address.
stopped-ask = I need an answer from you before I go on.
stopped-awaiting = I'm waiting for something before I go on.
stopped-error = I had to stop.
stopped-answer = Done.

# The person said stop.
stop-said = Stopped.
stop-nothing-done = Stopped. Nothing was changed.
stop-after = Stopped. Before that, I had { $done }; { $undo ->
    [all] “undo” takes that back.
    [part] “undo” takes back what can be taken back.
   *[none] that cannot be taken back.
}
stop-and = { $first } and { $next }
stop-did = { $verb ->
    [move] moved { $things }
    [write] written { $things }
    [create] made { $things }
    [delete] deleted { $things }
    [send] sent { $things }
    [install] installed { $things }
    [order] ordered { $things }
   *[other] changed { $things }
}
stop-things = { $object ->
    [files] { $count ->
        [one] 1 file
       *[other] { $count } files
    }
    [dirs] { $count ->
        [one] 1 folder
       *[other] { $count } folders
    }
   *[other] { $count ->
        [one] 1 thing
       *[other] { $count } things
    }
}
stop-some = { $object ->
    [files] files
    [dirs] folders
    [tasks] a timer, alarm, reminder or request
   *[other] something
}
stop-unknown = I was in the middle of a change and cannot know whether it happened. I will not repeat it: please have a look.

terminator-answer = { $cause } { $action }
terminator-partly-done = { $count ->
    [one] One thing was done before; I did not repeat it. “undo” takes it back.
   *[other] { $count } things were done before; I did not repeat anything. “undo” takes them back.
}
terminator-unknown-words = I don't know what to do with “{ $words }”.
terminator-not-understood = I didn't understand what to do.
terminator-no-tool = I have no tool that can do this.
terminator-no-tool-for = I don't know how to do this part: “{ $words }”.
terminator-no-domain = { $object ->
        [messages] I can't read or send mail and messages yet.
        [events] I can't look into a calendar yet, or put appointments into it.
        [contacts] I have no contacts yet: no phone numbers and no addresses.
        [tasks] I can't set timers, alarms or reminders here: the tools for them are missing from the catalog.
        [devices] I can't reach lights, heating or other devices yet.
        [places] I can't look up places such as shops, pharmacies or restaurants yet.
        [location] I can't tell a location yet: I don't know where you are.
       *[other] I have no tool for this.
    }
terminator-model-down = The language model does not answer, and I cannot work this out without it.
terminator-model-down-for = The language model does not answer, and without it I cannot work out this part: “{ $words }”.
terminator-no-calls-left = You have no model calls left for today, and I cannot work this out without the model.
terminator-no-lexicon = Without a language model I only understand English and Italian.
terminator-empty-catalog = I have no tools at all (empty catalog).
terminator-only-excluded = The only way I know is the one you told me not to use.
terminator-no-schedule = I can't tell when that should happen, so I did nothing.
terminator-no-watchers = I understood that, but I have no watchers yet, so nothing was changed.
terminator-several-things = These are several things at once, and I can only work out one at a time here.
terminator-no-plan-for = I found no safe way to do this part: “{ $words }”. Nothing was changed.
terminator-no-valid-plan = I found no plan for this that holds together, and nothing was changed.
terminator-rephrase = Please say it differently: what to do, and with which file, folder or address.
terminator-rephrase-or-again = Say it differently, or choose ↺ under this answer: then I use it again.
terminator-ask-for-now = Put the time first, such as “tomorrow at 9, …” or “every Monday at 8 …”, or ask me at the moment you need it.
terminator-one-by-one = Please send them one by one.
terminator-request-tool = I noted it as missing; /help shows what I can do.
terminator-noted = I noted it as missing. /help shows what I can do.
terminator-start-model = “metnos doctor” shows what is wrong with it. Once it runs again, tap ↺: I will try again.
terminator-set-up-model = Ask me in one of those, or give me a language model: the README says how.
terminator-tell-host-and-again = Please tell the host; once it is put right, ask me again or tap ↺.
terminator-one-by-one-or-model = Please send them one by one. With a language model I could do them together; the README says how to add one.
terminator-after-midnight = There are more after midnight; what I already know how to do keeps working. The host can change this.
terminator-run-doctor = Run “metnos doctor” to see why.

hosted-unknown = I don't have “{ $tool }”.
undo-left = { $why }{ $others ->
    [0] { "" }
    [one] { " " }One more thing could not be taken back either.
   *[other] { " " }{ $others } more things could not be taken back either.
}{ $goes_on ->
    [yes] { " " }Say “undo” again to take back what I did before that.
   *[no] { "" }
}
undo-impossible = What I did last ({ $tools }) cannot be undone.
undo-not-the-rest = That is all I did: I left out “{ $rest }”. Please ask for it on its own.
undo-not-all = I took back the last request only. Say “undo” again for the one before it.
undo-nothing = There is nothing to undo.
undo-not-the-last = I took nothing back: that is not my last change. The last one was “{ $request }”; say “undo” for that one, and once more for the one before it.
undo-not-the-last-unknown = I took nothing back: that is not my last change. Say “undo” to take back the last one, and once more for the one before it.
note-left-aside = I did not use this part of what you said: { $words }.
note-from-model = These are the model's own words; nobody checked them.
note-rejected-before = You marked this with ✗ the last time. I found no other way, so I did the same.
retry-no-other-way = There is no other way to do that, so I did nothing now. Write it again if you want it once more.
scratchpad-gone = I don't keep that any more. Please ask for it again.
store-failed = I could not reach my own database, so I stopped. “metnos doctor” shows more.
note-model-trouble = By the way: the model's answers have been unusable several times in a row. `metnos doctor` shows what is wrong; until then I rely on my own reading.
