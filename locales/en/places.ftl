# Geo services: what a person is told when one has no answer.

places-not-configured = No geo service is set up: the owner can name one in the configuration, under [places].
places-rate-limited = The map service asks us to wait { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
} before the next question. Please try again then.
places-unavailable = The map service cannot be reached right now, so I do not know what is there. Please try again later.
places-timeout = The map service took too long to answer. Please try again in a moment.
places-key-refused = The map service does not accept the key in the configuration. The owner can check it.
places-unreadable = The map service answered something I cannot read. Please try again later.
