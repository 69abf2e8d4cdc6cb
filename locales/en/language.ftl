pattern-autonomy-range = There is no level { $level }. Autonomy goes from A0 (I only suggest) to A4 (I ask only for critical things). Which one would you like?
pattern-ambiguous = I can read that in two ways. Could you say it in other words?
