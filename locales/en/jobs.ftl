## What the scheduler and the jobs of the house say of themselves.

firing-cut-off = The process ended while it ran.
firing-broken-off = metnos ended meanwhile. It goes on at the next start.
firing-too-long = It took longer than { $seconds } s and was ended.
firing-broke = A bug ended it.

job-store-failed = The database refused: { $reason }
job-disk-failed = The disk refused: { $reason }
job-questions = { $count ->
    [0] No question was left unanswered.
    [one] One question was left unanswered and is over.
   *[other] { $count } questions were left unanswered and are over.
}
job-retention = { $count ->
    [0] Nothing was old enough to be forgotten.
    [one] One entry that was long over is forgotten.
   *[other] { $count } entries that were long over are forgotten.
}
job-turn-logs = { $packed ->
    [one] One day of the turn log was packed,
   *[other] { $packed } days of the turn log were packed,
} { $forgotten ->
    [one] one was removed.
   *[other] { $forgotten } were removed.
}
job-database = The database is whole.
job-database-compacted = The database is whole, and was made smaller.
job-database-damaged = The database is damaged: { $reason }. Keep the last good copy.
job-reembedding = { $count ->
    [0] Every remembered request is known to today’s embedding model.
    [one] One remembered request was made known to today’s embedding model.
   *[other] { $count } remembered requests were made known to today’s embedding model.
}
job-reembedding-failed = The embedding model did not answer: { $reason }
job-backup = A copy of everything was made ({ $megabytes } MB). { $count ->
    [one] One copy is kept.
   *[other] { $count } copies are kept.
}

job-translate = { $count ->
    [one] One text was translated
   *[other] { $count } texts were translated
}, { $refused ->
    [0] none was refused
    [one] one was refused
   *[other] { $refused } were refused
}, and { $waiting } still wait.
job-translate-nothing = No text waits to be translated.
job-translate-no-model = { $waiting ->
    [one] One text waits
   *[other] { $waiting } texts wait
} to be translated, and the model could not be asked.

jobs-line = { $name } ({ $schedule }): { $next }; { $last }
jobs-next = next { $time }
jobs-no-next = when it is needed
jobs-stopped = stopped, because it failed too often; “metnos jobs run” lets it go on
jobs-never = never ran
jobs-run = { $time } { $state }
jobs-run-said = { $time } { $state }. { $line }
jobs-past = { $name }: { $run }
jobs-no-history = No job has run yet.
jobs-unknown = There is no job called “{ $name }”. “metnos jobs” shows them.
jobs-busy = “{ $name }” was changed just now. Try again.
jobs-still-running = “{ $name }” is still at work. “metnos jobs history” will show how it went.
jobs-running = at work
jobs-done = done
jobs-quiet = nothing to do
jobs-failed = failed
jobs-timed-out = took too long
jobs-cut-off = cut off
jobs-missed = missed
jobs-skipped = skipped
doctor-job-failed = The job “{ $name }” failed { $times ->
    [one] the last time
   *[other] the last { $times } times
}. { $reason } “metnos jobs run { $name }” tries it again.
