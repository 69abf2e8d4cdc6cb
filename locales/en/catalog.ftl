# Why a tool on disk is not used, for the person who looks after the machine.

catalog-rejected-unreadable = { $name }: I can't read { $file }. Check that it is there, is a plain file, and belongs to me.
catalog-rejected-unsigned = { $name } is not signed. If it is yours and you trust it, run: metnos catalog sign { $name }
catalog-rejected-no-keys = { $name } can't be checked because there is no key to check it with. Run: metnos catalog sign { $name }
catalog-rejected-changed = { $name } was changed after it was signed. If that was you, run: metnos catalog sign { $name }. If not, delete its folder and I'll put the original back.
catalog-rejected-code-changed = The program of { $name } was changed after it was signed. If that was you, run: metnos catalog sign { $name }
catalog-rejected-key-exposed = { $name } is not used because other users of this machine can get at { $path }, so a signature proves nothing. Run: chmod -R go= on that path, then start me again.
catalog-rejected-keys = { $name } can't be checked because my keys can't be read. Look at the keys folder in my data folder.
catalog-rejected-manifest = { $name } has a manifest I can't use: { $why }. Correct it, then run: metnos catalog sign { $name }
catalog-rejected-folder = The folder { $name } holds a tool called { $found }. Give both the same name.
catalog-rejected-part-missing = { $name } is made of { $part }, which is not there. Bring that back, or delete the folder { $name }.
catalog-rejected-no-code = { $name } needs code this version of me doesn't have. Update me, or delete its folder.
