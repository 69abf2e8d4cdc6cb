## What the scheduler and the jobs of the house say of themselves.

firing-cut-off = The process ended while it ran.
firing-too-long = It took longer than { $seconds } s and was ended.
firing-broke = A bug ended it.
