/**
 * Text of a terminal is in code page 437 unless another was agreed (PA00P015, character sets). Letters of the
 * countries where ZVT is spoken; whatever else is not ASCII is not worth a table and becomes a question mark.
 */
const CODE_PAGE_437: Record<number, string> = {
  0x81: 'ü',
  0x82: 'é',
  0x83: 'â',
  0x84: 'ä',
  0x85: 'à',
  0x87: 'ç',
  0x88: 'ê',
  0x8a: 'è',
  0x8e: 'Ä',
  0x90: 'É',
  0x93: 'ô',
  0x94: 'ö',
  0x97: 'ù',
  0x99: 'Ö',
  0x9a: 'Ü',
  0x9c: '£',
  0xe1: 'ß',
  0xf8: '°',
};
const BYTES = new Map(Object.entries(CODE_PAGE_437).map(([byte, letter]) => [letter, Number(byte)]));

/** Bytes below 20 are no letters; zeros fill up. */
export function decodeText(bytes: Uint8Array): string {
  const letters = [...bytes].filter((byte) => byte >= 0x20);
  return letters
    .map((byte) => (byte < 0x7f ? String.fromCharCode(byte) : (CODE_PAGE_437[byte] ?? '?')))
    .join('');
}

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = [...text].map((letter) => {
    const code = letter.codePointAt(0)!;
    return code < 0x7f ? code : (BYTES.get(letter) ?? 0x3f);
  });
  return Uint8Array.from(bytes);
}
