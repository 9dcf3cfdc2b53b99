"""What a simulated cardholder does by itself. Written by `npm run docs`."""

TAP = "tap"
CONTACT_PIN = "contact-pin"
WRONG_PIN_TWICE = "wrong-pin-twice"
REMOVE_EARLY = "remove-early"
WALK_AWAY = "walk-away"
PRESS_CANCEL = "press-cancel"
NONE = "none"
