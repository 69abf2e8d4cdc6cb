# Geo services: what a person is told when one has no answer.

places-not-configured = No geo service is set up: the owner can name one in the configuration, under [places].
places-rate-limited = The map service asks us to wait { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
} before the next question. Please try again then.
places-unavailable = The map service cannot be reached right now, so I do not know what is there. Please try again later.
places-timeout = The map service took too long to answer. Please try again in a moment.
places-key-refused = The map service does not accept the key in the configuration. The owner can check it.
places-given-key-refused = Google Places does not accept the key I was given.
places-none-connected = No map service is connected.
places-key-missing = The map service I use does not know opening hours.
places-hours-ask-host = The map service here does not know opening hours. Ask the host: they can connect one that does.
places-unreadable = The map service answered something I cannot read. Please try again later.
places-what-missing = I need to know what to look for, such as “pharmacy” or a name.
places-near-unreadable = I need to know around where. Name a place or an address, or share your location.
places-near-unknown = I could not find “{ $words }” on the map. Please add the town, or share your location.
places-none-within = I looked as far as { $km } km.
places-hours-unknown = Not all opening hours are known, so please check before you go.
places-hours-not-known = opening hours not known
places-open = open now
places-closed = closed now
answer-map = map
