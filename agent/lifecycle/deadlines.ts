/**
 * How long a terminal waits for what, in milliseconds of sandbox time (docs/choices.md, Deadlines).
 * How long the cardholder has to present a card is not here: `action.start` says it. A deadline is data in the
 * machine's context and its expiry is a fact, `deadline.passed`; who arms the clock is the host.
 */

/** From a card's first contact until its data is there. */
export const READ_CARD_MS = 30_000;

/** For typing one PIN; begins anew after a wrong one. */
export const PIN_ENTRY_MS = 60_000;

/** For the reader, or the card in it, to say whether the PIN was right. */
export const VERIFY_PIN_MS = 30_000;

/** From `action.authorise` to `action.decision`; past it the terminal asks for a reversal. */
export const AUTHORISE_MS = 30_000;

/** For the answer to an `action.authorise` before it is sent again; then twice as long each time. */
export const ASK_AGAIN_MS = 2_000;

/** For a card in the slot to take the issuer's answer (EMV 4.4 Book 3 §10.11). */
export const COMPLETE_CARD_MS = 10_000;

/** For a payment terminal to take back a payment that it authorised, and between two tries. */
export const REVERSE_MS = 60_000;

/** For one copy to come out of the printer; two of them stay inside the minute that the server allows. */
export const PRINT_COPY_MS = 20_000;

/** For the point of sale to confirm a copy: the server's minute, and a quarter of one for its word to arrive. */
export const CONFIRM_RECEIPT_MS = 75_000;

/** For the server to have its say. Then the terminal asks, and waits twice as long each time. */
export const SERVER_WORD_MS = 15_000;

/** How often that pause doubles: it stays at sixteen minutes, so a week of sandbox time is not a storm. */
export const SERVER_WORD_DOUBLINGS_MAX = 6;

/** Cards that could not be read before the terminal gives up with `bad_track_data`: a count (docs/choices.md, Unreadable cards). */
export const UNREADABLE_CARDS_MAX = 3;
