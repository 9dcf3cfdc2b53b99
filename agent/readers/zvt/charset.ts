import { parseTlv, type Tlv } from '../../../protocol/emv/tlv.ts';

/** Number of a ZVT character set, as tag 14 carries it (PA00P015, ZVT character sets). */
export type CharacterSet = number;

/** The default character set of a terminal. */
export const CODE_PAGE_437: CharacterSet = 0xff;

/** Names of the character sets for TextDecoder. 01 to 0F are the parts of ISO 8859. */
const NAMES: Record<CharacterSet, string> = {
  0x01: 'iso-8859-1',
  0x02: 'iso-8859-2',
  0x05: 'iso-8859-5',
  0x07: 'iso-8859-7',
  0x0f: 'iso-8859-15',
  0xfe: 'utf-8',
};

/** Letters of code page 437 in the languages of the countries that use ZVT. Other characters become a question mark. */
const CODE_PAGE_LETTERS: Record<number, string> = {
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

/** Decodes text of a terminal and removes control characters, which some terminals use as padding. */
export function decodeText(bytes: Uint8Array, set: CharacterSet = CODE_PAGE_437): string {
  const name = NAMES[set];
  if (name) return new TextDecoder(name).decode(bytes).replaceAll(/\p{Cc}/gu, '');
  const letters = [...bytes].filter((byte) => byte >= 0x20);
  return letters
    .map((byte) => (byte < 0x7f ? String.fromCharCode(byte) : (CODE_PAGE_LETTERS[byte] ?? '?')))
    .join('');
}

/**
 * Returns the character set in a TLV container: the one of tag 14, or the only one in the list of tag 27. Returns
 * undefined when there is none, or the list has several.
 */
export function characterSetIn(container: Uint8Array | undefined): CharacterSet | undefined {
  const objects = container ? objectsOf(container) : [];
  const named = objects.find(({ tag }) => tag === '14')?.value[0];
  if (named !== undefined) return named;
  const list = objects.find(({ tag }) => tag === '27')?.value;
  const listed = list ? objectsOf(list).filter(({ tag }) => tag === '14') : [];
  return listed.length === 1 ? listed[0]!.value[0] : undefined;
}

/** Parses the objects of a TLV container. Returns an empty list when it is malformed. */
export function objectsOf(bytes: Uint8Array): Tlv[] {
  try {
    return parseTlv(bytes);
  } catch {
    return [];
  }
}
