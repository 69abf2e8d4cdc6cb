# The devices of the house.

devices-none = To switch and ask devices I need your Home Assistant.
devices-none-yet = No devices are connected here yet; the host can do it.
devices-only-host = Only the host can connect the devices of the house.
devices-hint-token = In Home Assistant open your profile, Security, and create a long-lived access token there.
devices-bad-address = “{ $account }” is no address of a Home Assistant. It looks like http://homeassistant.local:8123
devices-not-encrypted = { $account } lies outside the house and does not encrypt. Use its https address.
devices-unreachable = Home Assistant at { $account } can't be reached. Is it running, and on the same network?
devices-certificate = The certificate of { $account } does not prove that it is your Home Assistant. I gave it nothing.
devices-timeout = Home Assistant at { $account } does not answer. Try again in a moment.
devices-something-else = What answers at { $account } is no Home Assistant.
devices-refused = Home Assistant at { $account } does not take the token any more. Create a new one in your profile, Security.
devices-not-administrator = The token for { $account } may not see which devices are shown to Assist. Create one as an administrator.
devices-closed = The connection to Home Assistant at { $account } broke off. I connect again; try in a moment.
devices-call-refused = Home Assistant would not do that with { $account }.
login-homeassistant-address = What is the address of your Home Assistant? For example http://homeassistant.local:8123
login-homeassistant-password = Now the access token, please.
hint-login-homeassistant = That is no address. It looks like http://homeassistant.local:8123; “cancel” drops it.
devices-account-holds = { $name }: { $devices ->
    [one] one device
   *[other] { $devices } devices
}, { $areas ->
    [one] one room
   *[other] { $areas } rooms
} shown to Assist

devices-none-called = No device is called “{ $name }”. “devices” shows which there are.
devices-which = Which one: { $names }?
devices-where = I don't know which room you are in. Say the room, for example: lights in the kitchen.
devices-no-room = There is no room called “{ $room }”.
devices-nothing = { $where ->
    [there] Nothing of that kind is in “{ $room }”.
   *[home] Nothing of that kind is in the house.
} “devices” shows what there is.
devices-none-shown = Home Assistant shows Assist no device. In its settings, Voice assistants, Expose, you choose which.

devices-is = { $name } is { $state }.
devices-already = { $name } was { $state } already.
devices-ordered = { $name }: done.
devices-silent = { $name } does not answer.
devices-cannot = { $name } can't do that.
devices-range = { $name } goes from { $min } to { $max }.
devices-back = As before: { $names }
devices-nothing-back = There is nothing to put back.
devices-nothing-on = Nothing is on, and nothing is open.
devices-none-so = { $state ->
    [on] None of them is on.
    [off] None of them is off.
    [open] None of them is open.
    [closed] None of them is closed.
    [locked] None of them is locked.
   *[unlocked] None of them is unlocked.
}
devices-nothing-measures = { $about ->
    [humidity] Nothing measures the humidity there.
   *[temperature] Nothing measures the temperature there.
}
devices-no-people = Home Assistant shows Assist nobody. In its settings, Voice assistants, Expose, you choose who.
devices-room = { $room ->
    [none] { $names }
   *[other] { $room }: { $names }
}
devices-more = … and { $count } more
devices-answer = { $verdict ->
    [yes] Yes.
   *[no] No.
} { $fact }

devices-state = { $form ->
    [away] not there
    [measured] { $value }
    [level] { $plain } at { $level } %
    [climate] { $has_now ->
        [yes] at { $degrees } °{ $has_target ->
            [yes] , set to { $target } °
           *[no] , { $plain }
        }
       *[no] set to { $target } °
    }
   *[plain] { $plain }
}
devices-word = { $word ->
    [on] on
    [off] off
    [open] open
    [opening] opening
    [closed] closed
    [closing] closing
    [locked] locked
    [locking] locking
    [unlocked] unlocked
    [unlocking] unlocking
    [playing] playing
    [paused] paused
    [idle] { $kind ->
        [media_player] not playing
       *[other] idle
    }
    [standby] on standby
    [cleaning] cleaning
    [docked] in its dock
    [returning] on its way back
    [home] at home
    [away] away
    [not_home] away
    [movement] seeing movement
    [quiet] seeing nobody
    [heat] heating
    [cool] cooling
    [auto] on automatic
    [unavailable] not there
    [unknown] not known
   *[other] { $word }
}
devices-only-host-opens = { $name } is for the host alone.
me-area = “{ $area }” is where you are: its devices come first. /me area off takes it back.
me-area-off = No room of yours comes first from now on.

# To-do lists and cameras.

devices-todo-holds = { $count ->
    [0] { $done ->
        [0] { $list } is empty.
        [one] Nothing is left on { $list }; one is ticked.
       *[other] Nothing is left on { $list }; { $done } are ticked.
    }
   *[other] { $list }:
        { $items }{ $more ->
            [0] {""}
           *[other] {" "}… and { $more } more
        }{ $done ->
            [0] {""}
            [one] {" "}(one is ticked)
           *[other] {" "}({ $done } are ticked)
        }
}
devices-todo-added = On { $list } now: { $items }
devices-todo-ticked = Ticked on { $list }: { $items }
devices-todo-removed = Taken off { $list }: { $items }
devices-todo-there-already = On { $list } already: { $items }
devices-todo-ticked-already = Ticked on { $list } already: { $items }
devices-todo-no-item = Not on { $list }: { $items }. I go by the whole name of an item.
devices-todo-not-so = The list does not show it yet: { $items }. I don't know whether it was done.
devices-todo-no-list = No list of Home Assistant is called “{ $name }”. There are: { $names }
devices-todo-no-lists = Home Assistant shows Assist no list. In its settings, Voice assistants, Expose, you choose which.
devices-todo-too-many = That is more than { $count } items at once; say it in parts.
devices-todo-what = I can put items on a list, tick them or take them off.
devices-camera-shows = { $name }, now:
devices-camera-silent = { $name } gives no picture just now.
devices-camera-none = { $name } is no camera.
devices-camera-disk = I got the picture, but could not keep it in your folder.
