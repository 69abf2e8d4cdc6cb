### What the terminal says on its own.

terminal-not-kept = I could not keep that line, so nothing was done. Check that the disk is not full, then type it again.
# Whole lines with which people leave the terminal, with commas between.
terminal-leave = exit, quit, bye, goodbye, good bye, bye bye
terminal-left = Goodbye!
