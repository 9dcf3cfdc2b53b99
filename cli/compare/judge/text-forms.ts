const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Returns the form of an id: `ps_<ulid>` of a payment session, `ps_<ulid>_secret_<uuid>` of its client secret; undefined
 * for what is not an id.
 */
export function idFormOf(text: string): string | undefined {
  if (text.length > 200) return undefined;
  let isId = false;
  const parts = text.split('_').map((part) => {
    const form = ULID.test(part) ? '<ulid>' : UUID.test(part) ? '<uuid>' : undefined;
    isId ||= form !== undefined;
    return form ?? part;
  });
  const isWhole = parts.every((part) => /^([a-z]+|<ulid>|<uuid>)$/.test(part));
  return isId && isWhole ? parts.join('_') : undefined;
}

/** Returns whether a text begins as an id does: a prefix in lower case, and after it more than words, such as those of a code. */
export function isIdLike(text: string): boolean {
  return idFormOf(text) !== undefined || /^[a-z]{2,8}_(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{12,}$/.test(text);
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

export function isTimeText(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?$/.test(text);
}

/** Returns whether a text is made at random, such as a secret or a token: long, with letters and digits, no word. */
export function isOpaque(text: string): boolean {
  return /^[A-Za-z0-9+/=_.:-]{16,}$/.test(text) && /[A-Za-z]/.test(text) && /\d/.test(text);
}

/** Returns whether a text is a value of an enumeration or a number in digits, and no sentence or name. */
export function isCode(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_./+-]*$/.test(text);
}
