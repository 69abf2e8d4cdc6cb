# What memory did while nobody asked, and what can be said to it.

digest-learned-head = Learned:
digest-learned = { $item } · “{ $request }”: from now on I do this kind of thing from memory. Asked { $uses ->
    [one] once
   *[other] { $uses } times
} so far.
digest-learned-faster = It took { $before }, now { $after }; saved so far: { $saved }.
digest-learned-how = Is one of them wrong? “undo” and its name, such as “undo a1”, takes it back; “keep a1” leaves it as it is. /digest weekly or /digest off: you hear from me less.
digest-no-time = no time
digest-milliseconds = { $count } ms
digest-seconds = { $count } s
digest-minutes = { $count ->
    [one] one minute
   *[other] { $count } minutes
}
digest-wanted-head = Asked, and I could not do it:
digest-wanted = “{ $request }”, { $times ->
    [one] once
   *[other] { $times } times
}{ $people ->
    [one] { "" }
   *[other] { " " }by { $people } people
}
digest-broken = “{ $name }” did not work, { $times ->
    [one] once
   *[other] { $times } times
}: { $why }
digest-broken-silently = it said nothing.
digest-idle-soon = { $item } · Nobody used { $name } for a month. In two weeks I take it back; one use, and it stays.
digest-idle = { $item } · Nobody used { $name } for so long that I took it back. /proposals approve { $item } makes it again.
watchdog-warning = { $programs ->
    [0] { $guests ->
        [one] One guest lives
       *[other] { $guests } guests live
    }
   *[other] { $guests ->
        [0] { $programs } tools of others live
        [one] One guest and { $programs } tools of others live
       *[other] { $guests } guests and { $programs } tools of others live
    }
} in this household. What they can reach is limited by the sandbox, which is { $mode }; “metnos doctor” says more.
digest-failed = { $times ->
    [one] One request could not be finished
   *[other] { $times } requests could not be finished
}, such as “{ $request }”.
digest-removed-head = Forgotten:
digest-removed = { $item } · { $name }: { $reason }
digest-removed-more = { $count ->
    [one] … and one more.
   *[other] … and { $count } more.
}
digest-removed-how = To remember one again within a week: “back { $item }”.
digest-nothing = Nothing new this week: nothing learned, nothing forgotten, nothing asked in vain.
digest-usage = /digest shows what is new. “keep a1”, “undo a1”, “back r1” decide about one thing, by its name there. /digest weekly, daily or off: how often I tell you by myself.
digest-kept = Kept.
digest-kept-before = It is kept already.
digest-undone = Done: I don't do that from memory any more, and what spoke for it no longer counts.
digest-back = I remember it again: { $name }.
digest-replaced = There is a newer way already, so that the old one stays away: { $name }.
digest-gone = That is not there any more. /digest shows what is.
gaps-none = Nothing was asked in vain this week.

removal-never-reused = asked once, and not again
removal-stale = not asked for a long time
removal-over-cap = too much else was asked since
removal-tool-missing = one of its tools is gone
removal-promoted = it became a tool of its own, { $heir }
removal-covered = { $heir } does this now
removal-world-changed = its tools changed
removal-failed = it did not work any more
removal-rejected = you said it was wrong
removal-demoted = another way proved better

composite-purpose = Does in one step what is often asked here: “{ $request }”.
composite-not = for anything but that, use the tools it is made of
composite-out = what the last of its tools gives
rewording-1 = please { $request }
rewording-2 = could you { $request }
rewording-3 = { $request } now
rewording-4 = I need you to { $request }
rewording-5 = { $request } for me
rewording-6 = once more: { $request }

proposal-gone = There is no such proposal, or somebody decided on it meanwhile. /proposals lists them.
proposal-settled = { $name } stays.
proposal-only-told = That one is only for you to know; there is nothing to make of it.
proposal-stopped = It cannot be made: { $why }
proposal-killed = It cannot be made, as it would be bad for the household: { $killers }.
proposal-made = { $name } is made, and used from now on. I watch it for { $hours } hours; “reject” and its name takes it back.
proposal-rolled-back = { $name } is taken back. { $requests ->
    [0] What it did has to be planned anew when it is asked again.
    [one] What it was made of, one request, is answered as before.
   *[other] The { $requests } requests it was made of are answered as before.
}
proposal-not-ours = { $name } was changed by somebody since, so that I leave its folder alone. Delete it yourself if you want.
proposal-refused-before = That was put away already.
proposal-put-away = Put away.
draft-part-missing = one of the tools it is made of is gone
draft-name-broken = that is no name for a tool; one is verb_object or verb_object_qualifier, such as sort_files_size
draft-name-taken = there is a tool of that name
draft-no-intent = it is not clear what it is for
draft-needs-name = its name is taken; choose one, such as “/proposals approve p1 sort_files_size”
draft-structure-differs = its plans differ in more than their values
draft-part-changed = one of the tools it is made of takes other arguments by now
draft-no-tests = what was recorded is not enough to test it
draft-no-words = it cannot be described in every language
draft-tests-fail = it does not do what the recorded plans do
draft-lint = its manifest breaks a rule of the catalog
proposal-adopted = Noted: { $what }. The model is told from now on; /proposals reject takes it back.
proposal-idle-soon = nobody used it for a month
proposal-idle = nobody used it any more
proposal-judged-bad = judged bad
proposal-unanswered = nobody answered
proposal-refused = you said no
proposal-failed-in-grace = it failed while it was watched
proposals-broken = The proposals cannot be looked at right now; the log says why. Try again in a minute.
proposals-none = There are no proposals.
proposals-usage = /proposals lists them. /proposals show p1, /proposals approve p1, /proposals reject p1 are about one; a name after approve is the tool's.
proposals-how = /proposals show p1 says more; approve or reject in place of show decides.
proposals-line = { $item } · { $what } — { $state }
proposal-promotion = a tool of its own for what is asked like “{ $request }” ({ $uses } times)
proposal-promotion-named = the tool { $name } for what is asked like “{ $request }” ({ $uses } times)
proposal-chain = “{ $request }” keeps being asked, and no tool does it alone ({ $wanted }); the way that is tried: { $chain }
proposal-specialize = { $tool } is nearly always asked with { $arg } = { $value }
proposal-dedupe = the way from { $source } to { $target } leads nowhere any more
proposal-state-candidate = found, not judged yet
proposal-state-review = waits for you
proposal-state-stopped = cannot be made yet
proposal-state-grace = made, and watched
proposal-state-final = made
proposal-state-rolled-back = taken back
proposal-state-archived = put away
proposal-example = “{ $request }” ({ $uses } times)
proposal-reason = Why: { $why }
proposal-verdict = Judged: { $ruling }, { $score } points. { $signals }. Against it: { $killers }
proposal-plan = Its plan: { $plan }

button-keep = Keep
button-unlearn = Undo
digest-good-morning = Good morning! There is news from your household:
digest-tool = { $item } · { $what }
digest-proposed = { $item } · Shall I make a tool of it? { $what }
digest-needs-name = { $item } · What is asked like “{ $request }” could become a tool, but its name is taken. Give it one: “approve { $item } sort_files_size”.
digest-failed-in-grace = { $item } · { $name } failed while I watched it, so I took it back. What is asked like “{ $request }” is answered as before.
digest-fails-in-grace = { $item } · { $name }, for what is asked like “{ $request }”, fails. “reject { $item }” takes it back.
digest-chain = { $item } · “{ $request }” keeps being asked, and no tool does it alone. From now on I show the model a way that may do; “show { $item }” says which.
digest-remembered = { $count ->
    [one] I know one more request by heart: { $requests }
   *[other] I know { $count } more requests by heart: { $requests }
}{ $more ->
    [0] .
    [one] { " " }and one more.
   *[other] { " " }and { $more } more.
}
digest-disputed = “{ $request }”: { $who } said that my answer was wrong. I leave those words to the planner now.
digest-signs-stay = 👍 keeps it, 👎 takes it back; or write “keep { $item }” or “undo { $item }”.
digest-signs-make = 👍 makes it, 👎 puts it away; or write “approve { $item }” or “reject { $item }”.
digest-stays = That is kept. To take it back all the same, write “undo { $item }”.
digest-daily = Every morning, then, when there is something new.
digest-weekly = Once a week, then.
digest-off = Then I say nothing in the morning. /digest shows what is new whenever you want.
removal-kind = a kind of request
removal-called = “{ $request }”
proposal-watched = { $name } is made already, and I am watching it. “keep { $item }” ends that, “reject { $item }” takes it back.
button-make = Make it
button-leave = Leave it
decision-approve = approve
decision-reject = reject
decision-show = show
decision-keep = keep
decision-undo = undo
decision-back = back
job-reaper = { $count ->
    [0] Memory aged; nothing went.
    [one] Memory aged; one plan went.
   *[other] Memory aged; { $count } plans went.
}
job-passages = { $count ->
    [0] Passages weighed; none was forgotten.
    [one] Passages weighed; one wish was forgotten.
   *[other] Passages weighed; { $count } wishes were forgotten.
}
job-candidates = { $count ->
    [0] No new family of plans.
    [one] One new family of plans.
   *[other] { $count } new families of plans.
}
job-promoter = { $judged ->
    [one] One proposal judged
   *[other] { $judged } proposals judged
}: { $made } made, { $waiting } for you to look at, { $away } put away, { $back } taken back.
job-promoter-failed = The proposals could not be gone through: { $reason }
job-digest = { $count ->
    [0] Nothing to say this morning.
    [one] The digest was sent.
   *[other] The digest was sent, in { $count } messages.
}
job-suggest = { $count ->
    [0] No new way to anything that is missing.
    [one] One new way to something that is missing.
   *[other] { $count } new ways to what is missing.
}
job-cleanup = { $count ->
    [0] No proposal was put away.
    [one] One proposal was put away.
   *[other] { $count } proposals were put away.
}
job-lifecycle = Plans: { $fastpaths } of requests, { $autopaths } of kinds; passages: { $passages }; proposals open: { $open }, tools made: { $made }; removed this week: { $removed }.
job-executors = Tools nobody uses: { $deprecated } told of, { $archived } taken back, { $revived } used again.
job-usual = { $count ->
    [one] How long one kind of plan takes is known.
   *[other] How long { $count } kinds of plans take is known.
}
job-noticed = { $count ->
    [one] One habit or dead end was noticed.
   *[other] { $count } habits or dead ends were noticed.
}
job-habits = { $count ->
    [one] The model is told of one more habit.
   *[other] The model is told of { $count } more habits.
}
job-watchdog-quiet = Nothing to do: tools of others { $programs }, guests { $guests }.
job-watchdog-told = The host was told what the sandbox is: { $mode }. Tools of others { $programs }, guests { $guests }.
