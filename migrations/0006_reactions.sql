-- Reactions that acted as buttons, so that taking one back takes back what it said.

CREATE TABLE reactions (
    channel     TEXT NOT NULL,
    conversation TEXT NOT NULL,
    message     TEXT NOT NULL,
    actor       TEXT NOT NULL,
    turn        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (channel, conversation, message)
) STRICT;
