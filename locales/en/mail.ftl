# Mail: accounts, what is found and done, and what goes wrong with servers.

mail-no-account = For that I need your mail account.
mail-no-such-account = You have no account called “{ $name }”. `metnos account list` shows them.
mail-no-password = I have no password for { $account }. Add the account again: `metnos account add mail`.
mail-settings-broken = The settings of { $account } can't be read any more. Add the account again.
mail-no-trust = I can't check any server's certificate on this machine: { $reason }

# Servers. Each says what is wrong and what to do.
mail-no-host = No server is called { $host }. Is the name right, and is this machine online?
mail-unreachable = { $host } doesn't answer. Try again later; if it stays so, check the server's name.
mail-timeout = The mail server of { $account } took too long. Try again in a moment.
mail-certificate-name = The server that answered as { $host } shows a certificate for another name, so I said nothing to it. Check the server's name with your provider.
mail-certificate-expired = The certificate of { $host } has expired, so I said nothing to it. Its provider has to renew it.
mail-certificate-not-yet = The certificate of { $host } is not valid yet. Is this machine's clock right?
mail-certificate-unknown = Nobody this machine trusts has signed the certificate of { $host }, so I said nothing to it. If it is a server of your own, name its authority under “ca_file” in the settings.
mail-certificate-bad = The certificate of { $host } is not good, so I said nothing to it.
mail-not-encrypted = { $host } doesn't encrypt, so I send no password there. Ask your provider for a server with TLS.
mail-login-oauth = The provider of { $account } takes no passwords from programs any more, whichever it is. What works: forward that mail to another account, or use another provider's.
mail-login-refused = The server of { $account } refused the password. Many providers want an app password: one made for programs, in the security settings of your account.
mail-refused = The server of { $account } refused: { $said }
mail-garbled = I can't make sense of what the server of { $account } says. Try again later.
mail-too-much = That is more than I read from a mail server at once.
mail-gone = The server of { $account } closed the connection. Try again in a moment.
mail-folder-changed = The server made that folder anew since I looked, so I don't know any more which mail is which. Search again, and I go on from there.
mail-message-gone = That mail is not there any more: somebody moved or deleted it.
mail-invalid = “{ $text }” is no address that mail can be sent to.

# Finding and reading.
mail-none-found = I found no such mail.
mail-none-reached = I could reach none of your mailboxes.
mail-none-of-class = None of them is of that kind.
mail-no-inbox = This account has no inbox.
mail-no-folder = There is no mailbox called “{ $folder }”.
mail-no-trash = This account has no trash, so I delete nothing there.
mail-not-a-message = That is no mail. Search for mails first.
mail-too-many = That is more than { $max } mails at once. Narrow it down, for example by time.
mail-unreadable = That mail is damaged: I can't read it.
mail-invitation = { $how ->
    [cancelled] It says that this is cancelled: “{ $summary }”, { $when }.
   *[invited] It is an invitation: “{ $summary }”, { $when }. “Put it in my calendar” takes it.
}
mail-read-note = { $folded ->
    [0] {""}
    [one] One quoted line is folded away.
   *[other] { $folded } quoted lines are folded away.
}{ $left ->
    [0] {""}
   *[other] {" "}{ $left } characters are not shown.
}{ $files ->
    [0] {""}
    [one] {" "}One file: { $names }
   *[other] {" "}{ $files } files: { $names }
}

# Why a mail counts as what it does.
mail-why-junk-folder = it lies among the spam
mail-why-marked = your provider's filter marked it
mail-why-not-verified = your provider could not verify who sent it, and you don't write to them
mail-why-pretends-own = it says it is from you, and is not
mail-why-pretends = the name shows another address than the one it came from
mail-why-invoice = its subject speaks of a bill
mail-why-correspondent = you write to them
mail-why-list = it came over a list one can leave
mail-why-bulk = it was sent to many
mail-why-automated = a program wrote it
mail-why-open = nothing tells what it is

# What was done.
mail-moved = { $ok_count ->
    [one] Moved one mail to { $folder }.
   *[other] Moved { $ok_count } mails to { $folder }.
}
mail-deleted = { $ok_count ->
    [one] Put one mail into { $folder }. “undo” brings it back.
   *[other] Put { $ok_count } mails into { $folder }. “undo” brings them back.
}
mail-marked = { $ok_count ->
    [one] Marked one mail.
   *[other] Marked { $ok_count } mails.
}
mail-already-there = It is in { $folder } already.
mail-nothing-to-set = Say what to set: read, or flagged.
mail-files-saved = { $ok_count ->
    [one] Saved one file to { $folder }.
   *[other] Saved { $ok_count } files to { $folder }.
}
mail-no-files = No file is attached there.
mail-files-too-much = That is more than I save at once.
mail-cannot-write = I can't write { $path }.

# Sending.
mail-sent = { $people ->
    [one] Sent to { $to }: “{ $subject }”.
   *[other] Sent to { $people } people ({ $to }): “{ $subject }”.
}
mail-sent-not-filed = I could not put a copy among the sent mails.
mail-not-sent = Not sent. { $why } This is what it said: { $text }
mail-not-sent-kept = Not sent. { $why } It lies among your drafts.
mail-left = You are unsubscribed from { $names }. A last mail or two may still be on their way.
mail-list-none = The mails from { $who } do not say how to unsubscribe. I can put them into the trash, or you mark them as spam.
mail-list-by-page = { $who } wants you to unsubscribe on a page yourself: { $page }
mail-list-forged = The mail from { $who } may be forged, or is spam: unsubscribing would only tell them that you read it. Better put it into the junk folder.
mail-list-inside = { $who } names an address inside your own network for unsubscribing. I don't ask it.
mail-list-refused = { $who } did not take it. Try again later, or let me put these mails into the trash.
mail-lists-changed = What these mails say about unsubscribing changed meanwhile. Nothing was sent; ask me again.
mail-taken-back = Taken back: nothing was sent.
mail-send-unknown = I don't know whether that mail went out: the server did not say. I don't send it again by myself. Look among your sent mails, or ask who should have got it.
mail-recipient-refused = The server doesn't take mail for { $address }: { $said }
mail-recipient-later = The server doesn't take mail for { $address } right now: { $said } Try again later.
mail-no-recipient = To whom? Name a person or an address.
mail-too-many-recipients = One mail goes to { $max } people at most.
mail-day-contradicts = The text says “{ $said }”, but that day is a { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}. Say which of the two is meant; nothing was sent.
mail-no-text = What should it say?
mail-which-one = Which mail do you mean? Search for it first.
mail-nobody-called = I know nobody called “{ $name }” from your mail. Say the address.
mail-several-called = Several people are called “{ $name }”: { $names }. Say the address.
mail-no-answer-to-program = { $who } is a program, and nobody reads what is sent there. I don't answer it.
mail-no-such-file = { $path } can't be read.
mail-files-too-large = With { $path } the files are too large for a mail.
approval-send_messages = Shall I send this mail?
approval-send_messages-new = Shall I send this mail?
approval-send_messages-reply = Shall I send this answer?
approval-send_messages-reply_all = Shall I send this answer to all of them?
approval-send_messages-forward = Shall I pass this mail on?
approval-send_messages_unsubscribe = Shall I unsubscribe you from this?
approval-move_messages = May I move these mails?
approval-delete_messages = May I put these mails into the trash?
approval-set_messages = May I mark these mails?
approval-extract_messages = May I save these files?

# Accounts.
mail-setup-oauth = { $domain } takes no passwords from programs any more, so I can't connect it: it would need a log-in with Microsoft that I don't have yet. What works: forward that mail to another account and connect that one.
mail-setup-none = { $domain } has no servers for other programs, so I can't connect it.
mail-setup-bridge = { $domain } works only through its own program on this machine (Bridge), which I can't connect yet.
mail-setup-plain = { $domain } does not encrypt, so I send no password there.
mail-setup-app-password = { $domain } wants an app password here: make one in the security settings of your account. Your own password won't work.
login-mail-address = What is your mail address?
login-mail-imap = I don't know the servers of that address. What is the IMAP server called? For example imap.example.org
login-mail-smtp = And the SMTP server, for sending? For example smtp.example.org
login-mail-password = What is its password? Where the provider has app passwords, take one of those.
login-caldav-address = What is the address of your calendar server?
login-caldav-user = And your user name there?
login-caldav-password = And the password?
login-carddav-address = What is the address of your address book's server?
login-carddav-user = And your user name there?
login-carddav-password = And the password?
login-calendar-address = What is the address of the calendar?
login-kept = { $account } works. I keep the password sealed.
login-again = { $why } Try once more, or say “cancel”.
login-not-yet = I can't connect that yet.
hint-login-address = That is no address. It looks like anna@example.org; “cancel” drops it.
account-no-such-service = There is nothing called “{ $service }”. Known: { $known }
account-list-none = No account yet. Add one: metnos account add mail
account-line = { $service } · { $name } · { $state ->
    [good] works
    [refused] password refused
   *[untried] not used yet
}
account-removed = { $name } is removed, its password too.
account-bad = { $name }: { $why }
account-reads = { $name }: reads mail
account-sends = { $name }: sends mail
account-sends-not = { $name } can't send: { $why }
account-folder = {"  "}{ $role ->
    [inbox] inbox
    [sent] sent
    [drafts] drafts
    [trash] trash
    [junk] spam
   *[other] { $role }
}: { $folder ->
    [none] not found
   *[other] { $folder }
}
account-quirk-names = {"  "}The server doesn't say which folder is which; I go by their names.
account-quirk-move = {"  "}The server can't move; I copy and remove.
account-quirk-uidplus = {"  "}The server doesn't say where moved mails are; undo looks for them.
account-quirk-idle = {"  "}The server doesn't announce new mail.
account-quirk-labels = {"  "}Folders are labels here: a mail may be in several.
