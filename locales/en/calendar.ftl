events-day = { $near ->
    [today] today,{" "}
    [tomorrow] tomorrow,{" "}
    [yesterday] yesterday,{" "}
   *[other] { "" }
}{ $weekday ->
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
}
events-days = { $first } to { $last }
events-until = { $begin } to { $end }
events-until-day = { $begin } to { $end }
events-between = { $day }, { $from } to { $to }
events-next-days = the next { $days } days
events-ahead = the time to come
events-nothing = nothing
events-and = { $first }; { $rest }
events-taken = “{ $summary }”, { $when }
events-none-soon = Nothing begins within { $span }.
events-none = Nothing is in your calendar for { $span }.
events-note-broken = I could not read { $names }.
events-note-cut = There is more than I can follow; ask for a shorter time.
events-note-zone = I don't know the time zone { $names }, so I read its times by your clock.
events-gone = I can't find that event in your calendar any more. Ask what is in it, and choose again.
events-changed-meanwhile = Somebody changed it in the meantime, so I left it alone. Look at it again and tell me once more.
events-undo-changed = It was changed since, so I left it as it is now.
events-disk = I can't get at your calendar or address book just now. Try again in a moment.
events-broken = I can't read { $name }, so I left it alone.
events-no-title = What shall it be called? For example: put dentist on Thursday at 15:30.
events-no-change = What shall change: the day, the hour, the name, the place?
events-when-unclear = I'm not sure when you mean. Say a day, and an hour if there is one: Friday at 10.
events-when-past = That day is over. Say a day to come.
events-rule-unclear = I'm not sure how often that is. Say for example: every Tuesday at 18:00.
events-rule-fixed = This series is tied to fixed days, so I can't move all of it like that. I can move a single one.
events-value = A calendar can't hold that as it is written. Try other words.
events-extent = “{ $summary }” ({ $when }) comes again and again. Say which: only this one, from this one on, or all of them.
events-extent-unclear = Say which: only this one, from this one on, or all of them.
events-which = There are several: { $names }. Which one?

contacts-reach = { $values }
contacts-birthday = { $day }{ $age ->
    [none] { "" }
   *[other] , turning { $age }
}
contacts-unsaid = not noted
contacts-none = Your address book is empty. Say for example: new contact Anna, 333 1234567.
contacts-none-called = Nobody called “{ $name }” is in your address book.
contacts-no-birthdays = No birthdays are noted in your address book.
contacts-one-only = I can do that for one person at a time. Who shall it be?
contacts-which = There are several: { $names }. Which one?
contacts-no-change = What shall change: the number, the mail address, the birthday?
contacts-birthday-unclear = I'm not sure which day that is. Say for example: 9 March 1985.


# Servers of calendars and address books.
agenda-lent-to-read = { $name } shares this with you to be read. To change it, ask { $name }.
agenda-no-such = There is no calendar called “{ $name }” here.
agenda-stale = { $why } So this is what I last saw of { $account }, { $when }{ $others ->
    [0] .
    [one] ; of one more account, too.
   *[other] ; of { $others } more accounts, too.
}
agenda-never = { $why } So nothing of { $account } is in this.
dav-slow = The calendar server of { $account } took too long.
dav-refused = The server of { $account } refused the password. Many providers want an app password: one made for programs, in the security settings of your account.
dav-forbidden = Nothing can be written into { $account }: it can only be read.
dav-busy = The server of { $account } wants to be left alone for { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
}. Try again then.
dav-garbled = What answered for { $account } is no calendar and no calendar server. Check the address.
dav-too-much = That is more than I read from a calendar server at once.
dav-status = The server of { $account } refused (answer { $status }). Try again later.
dav-gone = That isn't there any more. Ask what is in it, and choose again.
dav-no-version = The server of { $account } doesn't say which version is which, so I change nothing there: I could write over what somebody else did.
dav-contradicts = The server of { $account } says that this contradicts what it has, so nothing was changed. Look at it again and tell me once more.
dav-empty = I found no calendar and no address book for { $account } there. Is the address right? With Nextcloud and others it stands in the calendar's settings.
dav-no-address = That is no address of a server. It looks like cloud.example.org or https://cloud.example.org/dav/
dav-private = { $host } lies in the house, and only who owns it may name machines there.
dav-elsewhere = That server sends me to { $host }, where I won't take your password. If it is yours, give me that address.
dav-setup-oauth = { $domain } takes no passwords from programs for its calendars, so I can't connect it that way. What works: its “secret address in iCal format”, from the calendar's settings. Add it to read the calendar: metnos account add calendar
dav-setup-none = { $domain } has no calendar server for other programs. What works: publish the calendar in its settings, and add that address to read it: metnos account add calendar
dav-setup-unknown = I found no calendar server for { $domain }. Give me its address itself, for example https://cloud.{ $domain }/
account-holds = { $name }: { $service ->
    [carddav] the address book answers
    [calendar] the calendar can be read
   *[other] the calendar server answers
}
account-collection = {"  "}{ $called ->
    [none] without a name
   *[other] { $called }
}: { $count ->
    [one] one entry
   *[other] { $count } entries
}{ $readonly ->
    [yes] , only read
   *[other] {""}
}
account-quirk-tokens = {"  "}The server doesn't say what changed; I compare everything.

# A person's day, told in one answer.

day-free = Nothing is waiting for you { $day }.
day-holiday = Holiday: { $name }
day-birthday = Birthday: { $name }{ $age ->
    [none] { "" }
   *[other] { " " }({ $age })
}
day-whole = All day: { $what }
day-event = { $from }{ $to ->
    [none] { "" }
   *[other] –{ $to }
}: { $what }
day-titled = { $has_summary ->
    [yes] { $summary }
   *[no] an appointment
}{ $has_location ->
    [yes] , { $location }
   *[no] { "" }
}
day-task = { $time }: { $label }
day-mail = Unread from { $from }: { $subject }
