/** Characters of long work between two turns of the event loop: masking and packing them takes a few milliseconds. */
export const CHARACTERS_PER_TURN = 64 * 1024;

/** Resolves in the next turn of the event loop, once requests that have arrived were looked at. */
export type NextTurn = () => Promise<void>;

export const nextTurn: NextTurn = () => new Promise((resolve) => setImmediate(resolve));
