pattern-autonomy-range = There is no level { $level }. Autonomy goes from A0 (I only suggest) to A4 (I ask only for critical things). Which one would you like?
pattern-ambiguous = I can read that in two ways. Could you say it in other words?
pattern-timer-how-long = For how long should the timer run?
pattern-timer-range = A timer can run from one second to a year. For how long should it run?
pattern-alarm-when = For what time should I set the alarm?
pattern-alarm-one = I set one alarm at a time. Which time and which day first?
pattern-alarm-range = There is no such time of day. For what time should I set the alarm?
pattern-alarm-past = That time is over already. For what day and time should I set the alarm?
pattern-alarm-rings = An alarm is ringing. Do you want it quiet, or the alarm gone for good? Please say which.
pattern-device-everything = { $count ->
    [0] That would switch every device in the house.
    [one] That would switch the one device in the house.
   *[other] That would switch { $count } devices, all there are in the house.
} Which room or which device do you mean?
pattern-device-unknown = I know no device called “{ $name }”. Which one do you mean?
pattern-alarm-or-device = There is a device of that name. Do you mean the device or the alarm clock?
pattern-device-room = I know no room called “{ $room }”. Which room do you mean?
pattern-device-which = There are several: { $names }. Which one do you mean?
pattern-device-percent = Brightness goes from 0 to 100 percent. How bright should it be?
pattern-device-unlock = I don't unlock anything on a sentence alone. Please do it in the app of the lock.
pattern-watcher-which = There are several watchers: { $names }. Which one do you mean?
closed-secrets = I don't hand out keys and passwords, whoever asks. If you need one, open it yourself on the machine.
closed-destruction = I won't do that: it would destroy far more than one can take back. If you really mean it, do it yourself on the machine.
closed-safety = My safety rules can't be changed in a conversation. The autonomy level is set on the machine: “metnos autonomy”.
pattern-not-typed = That came with a message you passed on, so nothing was changed. If you want it, please type it yourself.
pattern-host-only = Only the host can ask me for that. Nothing was changed.
