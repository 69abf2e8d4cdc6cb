### What the Matrix channel says on its own.

matrix-verify-compare = Somebody verifies me from your Matrix account. Compare with your phone: { $signs }. If they differ, say so there.
matrix-verify-done = Verified: your phone and I trust each other.
matrix-verify-ended = The verification came to nothing. Begin it again from your phone.
matrix-private-only = I only talk in private chats. Start a direct chat with me and write there.
matrix-file-gone = I could not bring { $name }: it is no longer where it was.
matrix-file-too-large = { $name } is too large to send: here I can bring up to { $limit }.
matrix-file-refused = The Matrix server did not take { $name }, so I could not bring it.

## What is wrong, with the next step.

matrix-advice-no-store = Matrix: the session is there, but its store is gone. Run “metnos matrix setup”: the recovery key brings everything back on a new device.
matrix-advice-no-session = Matrix: the store is there, but its session is gone. Put session.json back beside it, or run “metnos matrix setup” to log in anew.
matrix-advice-files = Matrix: { $reason }. Check the data folder's permissions and disk space.
matrix-advice-logged-out = Matrix: the homeserver has logged metnos out. Run “metnos matrix setup” to log in again.
matrix-advice-wait = Matrix: the homeserver asks to wait { $seconds } seconds. Try again after that.
matrix-advice-unreachable = Matrix: the homeserver cannot be reached ({ $reason }). Check the address and the network.
matrix-advice-refused = Matrix: the homeserver refused ({ $reason }). Check the account, or look into the log.
matrix-advice-already = This Matrix account is set up and works. “metnos doctor” shows how it stands.
matrix-advice-password = The homeserver does not accept this user or password. Check both and try again.
matrix-advice-needs-key = This account was set up before and needs its recovery key. Put the key into matrix/recovery-key.txt in the data folder and run “metnos matrix setup” again.
matrix-advice-wrong-key = This recovery key does not open the account. Put the right one into matrix/recovery-key.txt in the data folder and run “metnos matrix setup” again.

## Setting it up.

matrix-ask-homeserver = Homeserver of the bot (such as example.org):
matrix-ask-user = User name of the bot:
matrix-ask-owner = Your own Matrix address (such as @ada:example.org; empty for none):
matrix-ask-password = Password of the bot (used now, not kept):
matrix-ask-recovery-key = Recovery key of the bot's account:
matrix-done = { $user } is connected, and its encryption is ready.
matrix-done-key = Its recovery key is in { $path }. Keep a copy elsewhere: only this key brings the bot's identity and history back when this machine is lost.
matrix-done-recovered = The recovery key brought its identity and history back.
matrix-done-kept = It is logged in again with the same device.
matrix-owner-again = { $owner } was locked out and is let in again, as the owner.
matrix-done-next = Start “metnos serve”, then open an encrypted chat with it as { $owner }. You can verify it there; compare the emoji with the log.
matrix-done-next-pair = Start “metnos serve”, run “metnos pair”, invite the bot to a chat within five minutes and send it the code: !pair CODE
