/** How text leaves the terminal (PA00P015, ZVT character sets): its own code page, or what was agreed upon. */
export type CharacterSet = 'cp437' | 'latin1' | 'utf8';

/** Tag 14: the character sets that this terminal has, by their number. */
export const CHARACTER_SETS: Record<number, CharacterSet> = { 0x01: 'latin1', 0xfe: 'utf8', 0xff: 'cp437' };

/** What holds while nothing is agreed upon. */
export const DEFAULT_SET = 0xff;

/** The letters of code page 437 that receipts in German, English and French are made of. */
const CODE_PAGE: Record<string, number> = {
  Ä: 0x8e,
  Ö: 0x99,
  Ü: 0x9a,
  ä: 0x84,
  ö: 0x94,
  ü: 0x81,
  ß: 0xe1,
  à: 0x85,
  ç: 0x87,
  è: 0x8a,
  é: 0x82,
  ê: 0x88,
  '£': 0x9c,
};

/** Text as the terminal sends it. What a character set does not have becomes a question mark. */
export function encodeText(text: string, set: CharacterSet = 'cp437'): Uint8Array {
  if (set === 'utf8') return new TextEncoder().encode(text);
  const codeOf = (letter: string): number => {
    const code = letter.codePointAt(0)!;
    if (code < 0x80) return code;
    if (set === 'latin1') return code <= 0xff ? code : 0x3f;
    return CODE_PAGE[letter] ?? 0x3f;
  };
  return Uint8Array.from([...text].map(codeOf));
}
