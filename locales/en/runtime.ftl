# What the runtime says: people, commands, buttons, approvals, things that went wrong.

hello = Hello { $name }! Tell me what you need in your own words. /help shows what I can do.
help =
    Just write what you need, for example:
    · how many days until christmas
    · create a list called shopping
    · add milk and bread to the shopping list
    · where is the letter from the school
    · photos from Rome
    · show me the photos from last summer
    · make a chart of the euro column in fuel.csv
    · when does the gym contract expire
    · make a note: the plumber comes on friday
    · find the nearest pharmacy
    · any unread mail from the school?
    · find the spam mail and move it to trash
    · will it rain tomorrow
    · when is the next public holiday
    · search the web for a recipe of ribollita
    · remind me tomorrow at 9 to call mum
    · what's on my calendar tomorrow
    · every morning at 7 my day
    · remind me 15 minutes before every appointment
    · put dentist on thursday at 15:30
    · turn on the kitchen light
    · set a timer for 5 minutes
    · every weekday at 8 tell me what's on the shopping list
    · undo
    Under an answer: ✓ it was right, ✗ it was wrong, ↺ do it differently.
    Risky things wait for your approval. A locked PDF or ZIP asks for its password. What takes too long you stop with /stop.
    With a Home Assistant I also keep its to-do lists and show its cameras; with a model that sees I find photos by what is on them.
    Commands: /help /status /undo /stop /me, and /people and /search for the host.
stranger = This assistant belongs to a household. If you are part of it, ask for a pairing code and send: /pair CODE
welcome-name = Before we begin: what shall I call you? (“ok” keeps { $name }, “skip” ends these questions.)
welcome-language = In which language shall I answer you: English or Italian? (“ok” keeps this one.)
welcome-language-bad = I don't know that language yet.
welcome-notes = And where shall lists and notes go? I would put them into ~/{ $folder }. (“ok”, or a folder such as ~/documents/lists.)
welcome-notes-bad = That must be a folder in your home, such as ~/notes.
welcome-over = Thank you, { $name }, that is all. Tell me what you need; /help shows what I can do, /me changes what you just said.
welcome-skip = skip
welcome-skipped = All right. /me shows and changes these things at any time; /help shows what I can do.
me-notes = Lists and notes go into { $folder } from now on.
paired = Welcome { $name }! From now on I work for you here. /help shows what I can do.
already-paired = You are already paired, { $name }. Nothing to do.
pairing-wrong-code = That code is not valid: codes work once, for five minutes. Ask for a new one with “metnos pair”.
pairing-too-many-tries = Too many wrong codes. Please try again in { $minutes } minutes.
me =
    You are { $name } ({ $id }), on { $channel ->
        [terminal] the terminal
        [telegram] Telegram
       *[matrix] Matrix
    }.
    Language { $lang }, time zone { $timezone }, autonomy { $autonomy }.
me-usage-so-far = Requests in the last hour: { $turns }. Model calls today: { $models }.
me-usage = Change it with /me name Anna, /me language en, /me timezone Europe/Rome, /me autonomy A1, /me quiet 22-7, /me area kitchen, /me notes ~/notes.
me-renamed = From now on I call you { $name }.
name-bad = I cannot use that name: it is empty, longer than { $limit } characters, an id, or somebody else's. Please choose another.
timezone-changed = Your time zone is { $timezone } from now on: there it is { $time }.
timezone-unknown = I don't know that time zone. Write it like this: Europe/Rome.
autonomy-unknown = The levels go from A0 (I only suggest) to A4 (I ask hardly ever).

people-host-only = Only the host sees and changes the people here. /me shows what you can change about yourself.
people-line = { $name } ({ $id }): { $channels }; { $lang }, { $timezone }, { $autonomy }. Requests in the last hour: { $turns }; model calls today: { $models }; tasks: { $tasks }.
people-line-revoked = { $name } ({ $id }): locked out; the data is kept.
people-channel-terminal = terminal
people-no-channel = no channel
people-more = To change something: /people help.
people-more-here = To change something: metnos people --help
people-usage =
    /people — everybody
    /people invite — a code for a new guest
    /people link NAME — a code for one more phone or channel of theirs
    /people rename NAME NEW NAME
    /people language NAME en
    /people timezone NAME Europe/Rome
    /people autonomy NAME A1
    /people quota NAME turns 30 (an hour), tasks 10 or models 100 (a day); “none” for no limit, “default” for the usual one
    /people revoke NAME — locks them out; with telegram behind it, that channel only
people-invite = Code for a new guest: { $code } — good once, for { $minutes } minutes. They send me: /pair { $code }
people-link = Code for one more phone or channel of { $name }: { $code } — good once, for { $minutes } minutes. They send me: /pair { $code }
people-link-host = A code for yourself is made on the machine only: metnos pair --for host
people-revoked = { $name } is locked out, and what was waiting for them is over. Their data is kept: “metnos people erase { $id }” removes it, /people link { $id } lets them in again.
people-revoked-before = { $name } is locked out already. /people link { $id } lets them in again.
people-revoked-channel = { $name } is locked out on { $channel }. On the machine, “metnos pair --for { $id }” lets them in again.
people-revoke-host = The host stays. If your phone is lost, lock its channel out: /people revoke host telegram
people-not-on-channel = { $name } is not connected on “{ $channel }”. /people shows where.
person-unknown = I know nobody called “{ $who }”. /people shows everybody; on the machine, “metnos people”.
person-ambiguous = Several people are called “{ $who }”. Use the id that /people shows.
person-renamed = { $id } is called { $name } from now on.
person-language = { $name } is answered in “{ $lang }” from now on.
person-timezone = The time zone of { $name } is { $timezone } from now on: there it is { $time }.
person-autonomy = The autonomy of { $name } is { $level } from now on.
quota-changed = { $name }, { $kind }: { $limit }.
quota-kind-turns = requests an hour
quota-kind-tasks = tasks
quota-kind-models = model calls a day
quota-host = The host has no limits, so that nobody can lock themselves out. Guests can have one: /people quota NAME turns 30.
quota-unknown-here = Write it like this: metnos people quota NAME turns 30. In place of turns: tasks or models; in place of the number: none or default.
quota-unknown = Write it like this: /people quota NAME turns 30. In place of turns: tasks or models; in place of the number: none or default.
quota-used-of = { $used } of { $limit }
quota-no-limit = no limit
quota-turns-used = You have used your { $limit } requests an hour. The next one is possible at { $time }; “undo” always is.
quota-turns-none = The host has switched off requests for you for now. Ask them if you need something; “undo” is always possible.
lang-changed = From now on I speak English.
lang-changed-added = From now on I speak your language as far as it is translated, and English where it is not yet.
lang-unknown = I speak these languages: { $languages }. Write one of them, such as /me language it. The host has one more learned with /language add fr.
language-usage = Write /language, /language add fr or /language review fr.
language-unknown = I know no language called “{ $name }”. Write its code of two letters, such as fr.
language-built-in = I speak { $language } already. /me language { $code } has me speak it with you.
language-added = I am learning { $language }. { $count ->
    [one] One text waits to be translated
   *[other] { $count } texts wait to be translated
}, { $night } every night, with the language model; what is not translated yet I say in English. /me language { $code } has me speak it with you.
language-added-before = I am learning { $language } already. { $count ->
    [0] Nothing waits to be translated.
    [one] One text still waits to be translated.
   *[other] { $count } texts still wait to be translated, { $night } every night.
} /me language { $code } has me speak it with you.
language-line-whole = { $code } ({ $language }): built in
language-line = { $code } ({ $language }): { $translated } of { $all } texts, { $hand } of them by hand; { $pending } wait{ $given_up ->
    [0] {""}
   *[other] , { $given_up } I could not do
}
language-more = One more: /language add fr. What was translated, beside the English: /language review fr.
language-none-added = No language was added yet. /language add fr adds French.
language-which = Which one? Write its code, such as /language review fr.
language-not-added = “{ $name }” was not added. /language shows what I speak.
language-review-line = { $place } ({ $state })
    - { $english }
    + { $text }
language-review-refused = { $line }
    ? { $said }
    ({ $why })
language-review-more = { $count ->
    [one] One more text is like these.
   *[other] { $count } more texts are like these.
}
language-review-nothing = Nothing of { $language } is translated yet. “metnos jobs run i18n_translate_pending” begins right now.
language-review-where = The texts are in { $path }. What you change there is kept, whatever becomes of the English; what you delete is translated anew.
language-state-behind = changed by hand; the English is another one since
language-state-outdated = the English is another one since; it will be translated anew
language-state-made = translated
language-state-hand = by hand
language-state-pending = waits
language-wrong-unreadable = not used: it could not be read
language-wrong-key = not used: it has another key
language-wrong-values = not used: it lacks a value, or has one too many
language-wrong-choices = not used: it chooses between other things
language-wrong-links = not used: it has another address or command
language-wrong-length = not used: it is far too long
language-broken = The texts of that language cannot be read or written ({ $reason }). “metnos doctor” looks at the data folder.
unknown-command = I don't know { $command }. /help shows what I can do.
unsupported-message = I can't use this kind of message. Write what you need, send a file, or share where you are.
unreadable-message = I could not decrypt your message: its key never reached me. Please send it again; if that does not help, verify me in your app or start a new chat with me.
request-empty = I got an empty message. Write what you need, or /help.
request-too-long = That message is longer than { $limit } characters. Please make it shorter, or put the text in a file.
queue-full = I still have many of your messages to answer. Please send this one again in a moment.
internal-error = Something broke on my side, and I stopped there. Please try again; “metnos doctor” shows more.
internal-error-unsure = Something broke on my side, and I cannot know whether it happened. Please look before you ask again; “metnos doctor” shows more.

location-noted = Thanks, now I know where you are. Ask me what is near you.
location-noted-live = Thanks, now I know where you are, and I keep up while you share it.

interrupted-unknown = I was interrupted while doing { $named ->
    [no] this
   *[yes] this: “{ $about }”
}. I cannot know whether it happened, and I will not repeat it: please look, then ask again if needed.
interrupted-after = I was interrupted while doing { $named ->
    [no] this
   *[yes] this: “{ $about }”
}. Before that I had { $done }. If anything of it is missing, ask for that; “undo” takes back what can be taken back.
interrupted-after-undo = I was interrupted after I had taken a change back. Nothing else was done: look at what came back, then ask again for the rest.
interrupted-again-and-again = This request stopped me several times, so I gave up on it. Please try another way; “metnos doctor” shows more.

# A message of which nobody knows whether it arrived.
answer-perhaps-lost = The connection broke while I was answering{ $named ->
    [no] { "" }
   *[yes] { " " }“{ $about }”
}. If you don't see my answer, I can send it again.
button-resend = 🔁 Send it again
resend-comes = Here it comes.
resend-gone = I sent that again already, or I no longer have it. Please ask me anew.
delivery-copy = You may have this already: the connection broke while I was sending it.

button-stop = ⏹ Stop
stop-taken = Stopping.
stop-over = That is over already: there is nothing to stop.
stop-nothing = Nothing is running right now, so there is nothing to stop.
stop-too-late = I could not stop that any more: it was over before your stop arrived.
stop-cut-off-after = Stopped, as you asked. Before that I had { $done }; “undo” takes back what can be taken back.
stop-cut-off-after-undo = Stopped, as you asked. Before that, I had taken a change back; nothing else was done.
stop-cut-off-unknown = Stopped, as you asked. I was in the middle of { $named ->
    [no] something
   *[yes] this: “{ $about }”
}. I cannot know whether it happened, and I will not repeat it: please have a look.
progress-cut-off = I was interrupted here.

feedback-confirmed = Noted, thank you.
feedback-rejected = Sorry. I will not answer that from memory again. Asked anew, I may find the same way; marked so a few times, I stop using it.
feedback-rejected-words = Sorry. I will not answer these words that way again, unless you choose ↺ for it later.
feedback-retry = I'll try another way.
feedback-try-again = I'll try again.
feedback-retry-before = I looked for another way once already. Use the buttons under that answer.
feedback-gone = I don't have that answer any more.
retry-had-secret = There was a secret in that request, and I keep none. Please write it again.
retry-done-already = That changed something, or may have, so I did not do it a second time. Write “undo” to take it back, then tap ↺ again.
feedback-not-yours = Only the person who asked can use these buttons.

button-approve = ✅ Approve
button-change = ✎ Change
approval-new-words = How should it read? Write the whole text; I show it again before it goes.
button-refuse = ✖ Reject
approval-given = Approved: I'm on it.
approval-given-before = Already approved: it runs once only.
approval-refused = All right, nothing was done.
approval-refused-after = All right, I stop there. What I did before I asked stays; “undo” takes it back.
refused-more = All right, nothing was done. If you want something else instead, ask me for all of it in one sentence.
refused-more-after = All right, I stop there. What I did before I asked stays; “undo” takes it back. If you want something else instead, ask me for all of it in one sentence.
nothing-instead = All right, I did nothing instead. The change I took back before I asked stays taken back.
approval-still-open = I did nothing: I took that for neither a yes nor a no. My question is still open. Answer “yes” and I do exactly what it says; answer “no” and I drop it, and you can ask for it differently.
approval-refused-before = You rejected this before. Nothing was done.
approval-expired = Time is over: nothing was done. Ask again if you still want it.
approval-expired-after = Time is over, so I stopped there. What I did before I asked stays; “undo” takes it back.
approval-above = At level { $level } I would not do this. Approve it, and I do it this one time.
approval-for-guest = { $name } asks me for this. At their level ({ $level }) only you can allow it. It is done for { $name } in their own folder (~), this one time.
approval-host-is-asked = At your level ({ $level }) only the host can allow this. I asked them, and go on when they say yes. “no” drops it.
approval-only-host = Only the host can allow this. I asked them; you can drop it with “no”.
approval-refused-by-host = The host said no. Nothing was done.
approval-refused-by-host-after = The host said no, so I stopped there. What I did before I asked stays; “undo” takes it back.
approval-host-given = Allowed, this one time.
approval-host-refused = All right, I tell them no.
follow-up-unclear = I can't tell which of those you mean. Say it as a whole request, with the kind and the folder.
approval-gone = That question is not open any more. Ask again if you still want it.
approval-offered = I am not sure that this is what you mean, so look at it first:
approval-text-goes-on = { $count ->
    [one] One more character follows.
   *[other] { $count } more characters follow; ask me for the page or the file they come from to see all of it.
}
approval-write_files-append = May I add this at the end?
approval-write_files-add_lines = May I add these lines?
approval-write_files-remove_lines = May I take these lines away?
approval-write_files-clear_lines = May I empty this list?
approval-write_files-tick_lines = May I tick these lines off?
approval-other = May I run { $tool }?
approval-delete_files = May I delete this?
approval-move_files = May I move this?
approval-move_files-copy = May I copy this?
approval-write_files = May I write this?
approval-share_files = May I share this, to be read and changed?
approval-share_files-read_only = May I share this, to be read only?
approval-share_files-end = May I end this sharing?
approval-share_events = May I share the calendar, to be read and changed?
approval-share_events-read_only = May I share the calendar, to be read only?
approval-share_events-end = May I end the sharing of the calendar?
approval-share_contacts = May I share the address book, to be read and changed?
approval-share_contacts-read_only = May I share the address book, to be read only?
approval-share_contacts-end = May I end the sharing of the address book?
approval-change_files_format = May I make these pictures?
approval-compress_files = May I pack this?
approval-change_images_pdf = May I make this PDF?
approval-create_files_spreadsheet = May I make this table?
approval-create_images_chart = May I make this chart?
approval-extract_files_zip = May I unpack this?
approval-create_dirs = May I create this?
approval-create_tasks = May I set this?
approval-set_tasks = May I change this?
approval-delete_tasks = May I remove this?
approval-create_events = May I put this into your calendar?
approval-set_events = May I change this in your calendar?
approval-delete_events = May I take this out of your calendar?
approval-create_contacts = May I put this into your address book?
approval-set_contacts = May I change this in your address book?
approval-delete_contacts = May I take this out of your address book?
approval-find_urls = May I search the web for this?
approval-find_texts_web = May I search the web for this?
approval-find_places = May I ask a map service for this?
approval-get_weather = May I ask a weather service for this?
approval-set_devices_todo = May I change this on the list of Home Assistant?
approval-set_devices_todo-add = May I put this on the list of Home Assistant?
approval-set_devices_todo-tick = May I tick this on the list of Home Assistant?
approval-set_devices_todo-remove = May I take this off the list of Home Assistant?
approval-set_devices = May I change this?
approval-set_devices-on = May I turn this on?
approval-set_devices-off = May I turn this off?
approval-set_devices-open = May I open this?
approval-set_devices-close = May I close this?
approval-set_devices-lock = May I lock this?
approval-get_urls = May I fetch this?
approval-read_urls_html = May I fetch this?
approval-within = { $count } in all, in { $folder } and the folders below it.
approval-in = { $count } in all, in { $folder } itself; what lies in the folders below it stays as it is.
file-kind = { $kind ->
    [directory] folder
    [link] link
    [other] special file
   *[file] file
}
approval-goes-to = Destination: { $place }.
approval-can-undo = “undo” can bring it back.
approval-cannot-undo = It cannot be undone.
approval-risk-low = Risk: low.
approval-risk-medium = Risk: medium.
approval-risk-high = Risk: high.
approval-risk-critical = Risk: very high.
approval-expires = This question is open for { $minutes } minutes.

location-ask = Where are you? Share your location with the button below, or write an address or a city.
location-ask-in-words = Where are you? Write an address or a city, or “cancel”.
location-thanks = Thanks, now I know where you are.
location-taken = All right, I take it that you are here: { $place }.
location-no-such-place = I can't find that place. Write it with its city, share your location, or write “cancel”.
location-not-looked-up = { $why } You can also share your location, write it as two numbers (45.4642, 9.1900), or write “cancel”.
button-share-location = 📍 Share my location
button-cancel = ✖ Cancel
button-done = ✔ Done
button-skip = ✖ Skip
button-yes = Yes
button-no = No
question-open = This question is open for { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}.
question-expired = I waited for your answer, and the time is over: nothing was done. Ask again if you still want it.
question-expired-after = I waited for your answer, and the time is over, so I stopped there. What I did before I asked stays; “undo” takes it back.
question-cancelled = All right, I dropped it. Nothing was done.
question-cancelled-after = All right, I dropped the rest. What I did before I asked stays; “undo” takes it back.
question-set-aside = I put my question aside for this. Ask again if you still want it.
question-given-up = I still don't understand the answer, so I dropped it. Nothing was done; ask again if you still want it.
question-given-up-after = I still don't understand the answer, so I dropped the rest. What I did before I asked stays; “undo” takes it back.
question-answered = That was answered before.
question-passed-buttons = Something else came in between, so this cannot answer my earlier question any more, and nothing was done. Its buttons still can; or ask again.
question-passed = Something else came in between, so this cannot answer my earlier question any more, and nothing was done. Please ask again.
question-none-open = I have no question open, so there is nothing to answer. Tell me what you need.
question-closed = That question is closed. Nothing was done.
ask-file = Which file do you mean?
ask-folder = Which folder do you mean?
ask-destination = Where should it go?
ask-url = Which web address do you mean?
ask-query = What should I look for?
ask-content = What should be written?
ask-moment = When exactly? Say it like “tomorrow at 9”, “in 20 minutes” or “every Monday at 8”.
ask-text = What should it be?
ask-secret = Please write the password or code.
ask-yes-no = Yes or no?
ask-choice = Which one?
ask-multi-choice = Which ones?
ask-number = How many?
ask-date = On which day?
answer-taken = Noted.
hint-pick-some = Mark at least one first, or cancel.
hint-or-cancel = Write the answer, or “cancel”.
hint-one-of = Write one of them or its number, or “cancel”.
hint-only-one = I can take only one of them at a time. Write which one, or its number, and ask for the other after that; or “cancel”.
hint-some-of = Write their numbers, such as 1, 3, or “cancel”.
hint-yes-or-no = Please answer yes or no.
hint-number = I need a number, such as 3 or 2.5, or “cancel”.
hint-date = I need a day, such as 2026-12-24 or tomorrow, or “cancel”.
hint-path = I need a file or folder, such as ~/notes.txt, or “cancel”.
hint-only-folder = It goes into a folder and keeps its name. Write only the folder, such as ~/docs, or “cancel”; you can have it renamed after that.
secret-taken-back = I seal it at once and remove your message from this chat.
secret-taken-back-or-cancel = I seal it at once and remove your message from this chat. “cancel” drops it.
secret-not-kept = I seal it at once and keep it out of the history; it stays visible on this screen. “cancel” drops it.
unlock-why = { $path } is locked with a password.
unlock-wrong = That password does not open { $path }. Try once more.
unlock-ask = What is its password?
unlock-over = None of these passwords opens { $path }, so it stays closed. To have it as it is, say “send me { $path }”.
unlock-taken-back = I use it this once, keep it nowhere, and remove your message from this chat.
unlock-taken-back-or-cancel = I use it this once, keep it nowhere, and remove your message from this chat. “cancel” drops it.
unlock-not-kept = I use it this once and keep it nowhere; it stays visible on this screen. “cancel” drops it.
hint-password = That is too long for a password. Send it again, or “cancel”.
account-ask-google-places = Have you got a key for Google Places? Send it, and I go on with it.
account-taken-back = I seal it at once and remove your message from this chat. “skip” goes on without it, and I don't ask again for a month. /disconnect makes me forget it.
account-not-kept = I seal it at once and keep it out of the history; it stays visible on this screen. “skip” goes on without it, and I don't ask again for a month. /disconnect makes me forget it.
account-forgotten = I forgot the keys you gave me here, and use them no more. Where one would help I ask again.
account-none = You gave me no keys here. Keys in the configuration stay as they are.
hint-key = That is no key: a key is one long word without spaces. Send it, or write “skip”.

edit-too-late = You changed an older message. I answered it before, and do nothing over again by myself: please send it as a new message.
file-kept-at-a0 = { $count ->
    [one] Kept as { $path }, as everything you send me is, at every level. “undo” leaves it there: if it should not stay, take it out of that folder yourself.
   *[other] Kept as { $path }, as everything you send me is, at every level. “undo” leaves them there: if they should not stay, take them out of that folder yourself.
}
file-read-it = read it
file-kept = { $count ->
    [one] Kept as { $path }. Tell me what to do with it, for example “save it in ~/docs”.
   *[other] Kept as { $path }. Tell me what to do with them, for example “save them in ~/docs”.
}
secret-delete-yourself = I could not remove your message with the secret. Please delete it from this chat yourself; I keep it sealed.
attach-how = In the terminal write /attach FILE and, if you like, what to do with it: /attach ~/scan.pdf save it in ~/docs. On a phone send the file itself.
attach-no-file = There is no file { $path }. Check the path and try again.
file-too-large = This file is too large for me: I can take up to { $limit } MB.
file-gone = This file is no longer on the server. Please send it again.
file-damaged = This file arrived damaged, so I did not keep it. Please send it again.
file-not-fetched = I could not fetch this file right now. Please send it again in a few minutes.
file-not-kept = I could not keep this file on this machine. Its owner can look whether the disk is full.

# Voice notes.

voice-heard = 🎙 “{ $text }”
voice-written = 🎙 “{ $text }”
    These are the words of the note you passed on; I did nothing with them. The note itself: { $path }.
voice-nothing = 🎙 I heard nothing in that. Please say it again, or type it.
voice-unsure = 🎙 I am not sure I heard you right: “{ $text }”. Nothing was done; please say it again, or type it.
voice-off = I kept your voice note as { $path }, but I can't hear yet. { $who ->
    [host] A speech server on this machine changes that: set METNOS_SPEECH_URL, as “Voice notes” in the README shows.
   *[other] The host can change that; until then please type it.
}
voice-unreadable = The speech server could make nothing of your voice note; I kept it as { $path }. Please say it again, or type it.
voice-unavailable = { $why ->
    [none] The speech server does not answer.
   *[other] { $why }
} I heard nothing, and kept your note as { $path }. Please type it, or say it again in a while.
voice-no-approval = I may mishear a yes, so that counts only as a tap on the card or typed. A no may be said.
voice-no-secret = Please don't say a password aloud: type it, and it is sealed at once. I forgot what I heard.
speech-server-started = The speech server is starting.
speech-server-failing = The speech server has stopped { $failures ->
    [one] once
   *[other] { $failures } times in a row
} ({ $reason }). Its log is in `{ $log }`.
