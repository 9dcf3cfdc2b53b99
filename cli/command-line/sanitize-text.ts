// ISO/IEC 6429 control characters begin what a terminal executes; bidirectional marks reorder the rest of a line.
const CONTROLS = String.raw`\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const CONTROL_CHARACTER = new RegExp(`[${CONTROLS}]`, 'gu');
// What JSON leaves as it is.
const CONTROL_IN_JSON = new RegExp(`(?!\n)[${CONTROLS}]`, 'gu');
// The styles of cli/command-line/output.ts, https://ecma-international.org/publications-and-standards/standards/ecma-48/ §8.3.117.
const STYLE = String.raw`\x1b\[(?:1|2|7|22|27|31|32|33|34|39)m`;
const IN_PLAIN_TEXT = new RegExp(`(?![\n\t])[${CONTROLS}]`, 'gu');
const IN_STYLED_TEXT = new RegExp(`(${STYLE})|(?![\n\t])[${CONTROLS}]`, 'gu');

const SHOWN = '·';

/** Replaces control characters by `·`. For names and texts that clients, terminals and cards choose. */
export function sanitizeText(text: string): string {
  return text.replace(CONTROL_CHARACTER, SHOWN);
}

/** Escapes control characters in JSON text, which stays the same value. */
export function sanitizeJson(json: string): string {
  return json.replace(CONTROL_IN_JSON, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Replaces what a terminal would execute, in a text of one or more lines.
 * @param hasStyles whether it may have the styles of our own colours
 */
export function sanitizeLines(text: string, hasStyles: boolean): string {
  return hasStyles
    ? text.replace(IN_STYLED_TEXT, (_, style: string | undefined) => style ?? SHOWN)
    : text.replace(IN_PLAIN_TEXT, SHOWN);
}
