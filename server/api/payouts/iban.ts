/** Length of an IBAN by its country (ISO 13616, the registry of formats). */
export const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TR: 26,
  VA: 22,
};

/** What is wrong with an IBAN without blanks, in words; undefined when its form and its check digits are right. */
export function problemOfIban(iban: string, country: string): string | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return 'must be an IBAN';
  if (!iban.startsWith(country)) return `must be an IBAN of ${country}`;
  const length = IBAN_LENGTHS[country];
  if (iban.length !== length) return `must have ${length} characters in ${country}`;
  return remainder97(iban) === 1 ? undefined : 'has wrong check digits';
}

/** ISO 7064 MOD 97-10: the first four characters go last, letters count from A = 10. */
function remainder97(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let remainder = 0;
  for (const character of moved) {
    for (const digit of String(Number.parseInt(character, 36)))
      remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder;
}
