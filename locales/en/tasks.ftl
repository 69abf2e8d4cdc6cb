# Timers, alarms, reminders, requests that repeat, watchers: what they are called, when they come, what is said then.

task-moment = { $near ->
    [today] today,
    [tomorrow] tomorrow,
    [yesterday] yesterday,
   *[other] on
} { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
} { $day } { $month ->
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
}{ $year ->
    [none] { "" }
   *[other] { " " }{ $year }
}, { $time }
task-never = at no time
task-unit = { $count } { $unit ->
    [days] { $count ->
        [one] day
       *[other] days
    }
    [hours] { $count ->
        [one] hour
       *[other] hours
    }
    [minutes] { $count ->
        [one] minute
       *[other] minutes
    }
   *[seconds] { $count ->
        [one] second
       *[other] seconds
    }
}
task-span-two = { $first } { $second }
task-every = every { $span }
task-daily = every day at { $time }
task-on-days = every { $days } at { $time }
task-each-days = every { $days } days at { $time }
task-again = again and again
task-ending = { $rhythm }, ending { $moment }
task-weekdays = weekday
task-weekday = { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}
task-weekday-and = { $first }{ $is ->
    [last] { " " }and
   *[before] ,
} { $rest }
task-label = { $kind ->
    [timer] Timer
    [alarm] Alarm
    [reminder] Reminder
    [request] Request
    [watcher] Watcher
   *[job] Job
}{ $named ->
    [no] { "" }
   *[yes] { " " }“{ $name }”
}
task-next = { $moment }
task-next-again = { $rhythm }; next { $moment }
task-left = { $span } left, until { $moment }
task-paused = paused
task-paused-with = paused, { $span } left
task-rings = waits for “done”
task-stopped = stopped, as it failed three times in a row
task-over = over
task-clock-skips = The clock is put forward over that time, so it is the first moment after.
task-clock-twice = The clock shows that time twice that night; I take the first.

task-no-deadline = Before what day? I go by the day that my last answer named. Ask me first, such as “when does the gym contract expire?”, and then say “remind me two weeks before it expires”.
task-when-unclear = { $when ->
    [none] I need to know when.
   *[other] I can't tell when “{ $when }” is exactly.
} Say it like “tomorrow at 9”, “in 20 minutes” or “every Monday at 8”.
task-ahead-unclear = { $when ->
    [none] That is too short before it.
   *[other] How long before is “{ $when }”?
} Say it like “15 minutes before”; { $minutes } minutes is the least.
task-when-past = That time is over already. When should it be instead?
task-too-often = Something that runs by itself has at least { $minutes ->
    [one] one minute
   *[other] { $minutes } minutes
} between two runs. Choose a longer time.
task-too-many = You have { $limit } of these already, which is as many as I keep. End some first: “show my reminders”.
task-none = { $kind ->
    [timer] No timer is running.
    [alarm] No alarm is set.
    [reminder] You have no reminders.
    [request] Nothing runs by itself for you.
    [watcher] I am watching for nothing.
   *[any] Nothing is set: no timer, no alarm, no reminder.
}
task-none-called = { $kind ->
    [timer] No timer
    [alarm] No alarm
    [reminder] No reminder
    [request] No request
    [watcher] No watcher
   *[any] Nothing
} is called “{ $name }”.
task-which = There are { $count } of them: { $names }. Which one?
task-none-fits = Nothing that is set fits that. “My tasks” shows all there is.
task-query-missing = What should I do then? Say it together with the time.
task-query-unknown = I don't know how to do “{ $request }”, neither now nor later. If I should only say it, ask me to remind you.
task-watch-nowhere = There is no folder { $folder }, so there is nothing to watch yet. Make it first, or name another one.
task-watch-gone = { $count ->
    [one] One line is gone.
   *[other] { $count } lines are gone.
}
task-watch-unknown = I don't know how to look for that (“{ $request }”). I can watch a folder for new files, a file or a page for changes, what a device does, or how full the disk is.
task-changed-meanwhile = It has changed in the meantime, so I left it as it is. Look at it and say it again.
task-run-host-only = Only the host can make it run right now. It runs at its own time.
task-cannot = That does not go with { $name } as it stands: { $action ->
    [pause] it is not running.
    [resume] it was not paused.
   *[other] it is no timer.
}
task-nothing-rings = Nothing has rung that waits for an answer.
task-timer-too-short = The timer has less time left than that. Cancel it if it should end.
task-last = last { $moment }: { $outcome }
task-never-yet = never so far
task-no-history = Nothing has happened by itself so far.
task-run = { $state ->
    [running] at work
    [done] done
    [quiet] nothing new
    [failed] failed
    [timed_out] took too long
    [cut_off] cut off
    [missed] missed
   *[skipped] skipped
}
task-undo-gone = That is gone in the meantime.

firing-timer = ⏰ Timer{ $named ->
    [no] { "" }
   *[yes] { " " }“{ $name }”
}: time is up after { $span }.
firing-alarm = ⏰ { $named ->
    [no] Alarm: it is { $time }.
   *[yes] { $name }: it is { $time }.
}
firing-reminder = 🔔 { $said ->
    [no] This is the reminder you wanted.
   *[yes] { $words }
}
firing-told = 💬 { $name }: { $words }
firing-late = This comes late: it was for { $moment }.
firing-missed = I was off and missed this: { $label }, { $moment }.
firing-stopped = { $label } failed three times in a row, so I stopped it. What shall I do with it?
firing-runs = { $count ->
    [one] 1 run
   *[other] { $count } runs
} during your quiet hours; this is what they came to.
firing-done = Done.
firing-again = All right, again { $moment }.
firing-answered-before = That was answered before.
firing-over = That is over: it was changed, or it rang again since.
firing-goes-on = It goes on; next { $moment }.
firing-rests = It rests until you say “resume”.
firing-deleted = It is gone.
button-task-done = ✅ Done
button-task-later = ⏰ +10 min
button-task-tomorrow = 📅 Tomorrow
button-task-go-on = ▶ Go on
button-task-pause = ⏸ Pause
button-task-delete = 🗑 Delete

me-quiet = I keep quiet from { $hours }: alarms, timers and reminders still come, everything else waits until the end.
me-quiet-off = No quiet hours from now on.
me-quiet-how = Write it like this: /me quiet 22-7, or /me quiet off.
