# Running a plan: what a step could not do.

run-value-missing = One step came back without something the next one needs, so I stopped there. Try naming it in your request.
run-value-ambiguous = I found several that fit and did not want to guess. Tell me which one you mean.
run-duplicate-read = { $tool } has looked at this already, and once more shows nothing new.
run-tool-gone = The tool { $tool } is not available any more. Ask me again and I will look for another way.
run-forbidden = I may not run { $tool } here, so I left everything as it was.
run-all-failed = None of it worked. Check the names and ask me again.
run-not-let-in = You were locked out meanwhile, so I changed nothing.
run-journal-failed = I could not write down what I was about to change, so I changed nothing. Check that the disk is not full, then ask me again.
