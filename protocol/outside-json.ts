/**
 * How deep arrays and objects in JSON from outside may be nested: deeper than any value of the API, and far below where
 * a function that calls itself for each level would exhaust the stack.
 */
export const JSON_DEPTH_MAX = 32;

/** Thrown for JSON that is nested deeper than what reads it allows. */
export class TooDeepJson extends Error {
  constructor(depthMax: number) {
    super(`arrays and objects are nested more than ${depthMax} deep`);
  }
}

/**
 * Parses JSON that comes from outside, so that what walks the value can call itself for each level.
 * @throws SyntaxError when the text is not JSON; TooDeepJson when it is nested too deeply
 */
export function parseOutsideJson(text: string, depthMax = JSON_DEPTH_MAX): unknown {
  if (isNestedDeeper(text, depthMax)) throw new TooDeepJson(depthMax);
  return JSON.parse(text);
}

/** Returns whether a value that was parsed from JSON is an object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns whether arrays and objects in a JSON text are nested deeper than `depthMax`. It makes nothing of the text, and
 * stops at the first that is. Of a text that is not JSON the answer says nothing.
 */
export function isNestedDeeper(text: string, depthMax: number): boolean {
  return limitExceeded(text, { depth: depthMax }) === 'depth';
}

/**
 * Returns the first limit that a JSON text exceeds: the depth of its arrays and objects, or the number of its values and
 * members. It makes nothing of the text. Of a text that is not JSON the answer says nothing.
 */
export function limitExceeded(
  text: string,
  { depth: depthMax, values: valuesMax = Infinity }: { depth: number; values?: number },
): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > depthMax) return 'depth';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
      case QUOTE:
        at = endOfString(text, at);
        break;
      default:
    }
    if (values > valuesMax) return 'values';
  }
  return undefined;
}

/** Returns the position of the quotation mark that ends a string; that of the end of the text where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes stands before a position. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
