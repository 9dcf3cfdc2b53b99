// ISO/IEC 6429 control characters begin what a terminal executes; bidirectional marks reorder the rest of a line.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces control characters by `·`. For names and texts that clients, terminals and cards choose. */
export function sanitizeText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '·');
}
