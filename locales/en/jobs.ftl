## What the scheduler and the jobs of the house say of themselves.

firing-cut-off = The process ended while it ran.
