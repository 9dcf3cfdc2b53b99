import { replaceCardNumbersBesideIds } from './card-numbers.ts';

/** Length of a reason in a message, in UTF-16 code units. */
export const REASON_CHARACTERS_MAX = 200;

// A reason is cut before it is searched, so that a text of any length costs little.
const READ_CHARACTERS_MAX = 1_000;
const HIDDEN = '··';
/** Control and format characters, unpaired surrogates, and separators: line breaks and all spaces. */
const NOT_PRINTABLE = /[\p{C}\p{Z}]+/gu;
/** Eight bytes or more in hexadecimal: frames, track data and keys. The codes of a device are shorter. */
const BYTES = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[ :,-]?){7,}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g;

/**
 * Returns why something failed, as a message may carry it: one printable line of at most 200 characters, without card
 * numbers and bytes. Returns undefined for a text without any printable character.
 */
export function reasonText(text: string): string | undefined {
  const line = text.slice(0, READ_CHARACTERS_MAX).replaceAll(NOT_PRINTABLE, ' ').trim();
  const masked = replaceCardNumbersBesideIds(line.replaceAll(BYTES, HIDDEN), () => HIDDEN);
  return cut(masked) || undefined;
}

function cut(text: string): string {
  if (text.length <= REASON_CHARACTERS_MAX) return text;
  // Not within a surrogate pair.
  return `${text.slice(0, REASON_CHARACTERS_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
