import type { CardTechnology } from '../../emv/card-connection.ts';
import { toHex } from '../../../protocol/emv/hex.ts';

/** What an answer to reset says about a card. */
interface CardKind {
  technology: CardTechnology;
  /** Name of a memory card, which speaks no ISO/IEC 14443-4 and so is no payment card. */
  memory?: string;
}

/** Contactless cards have an answer to reset that the reader makes up: 3B 8n 80 01 (PC/SC part 3 §3.1.3.2.3). */
const CONTACTLESS = /^3B8[0-9A-F]8001/;
/** That of a memory card names its standard and its type by registered numbers (§3.1.3.2.3.2). */
const MEMORY = /^3B8F8001804F0CA000000306([0-9A-F]{2})([0-9A-F]{4})/;

/** Memory cards by their registered number (PC/SC part 3 supplemental document). */
const MEMORY_CARDS: Readonly<Record<string, string>> = {
  '0001': 'MIFARE Classic 1K',
  '0002': 'MIFARE Classic 4K',
  '0003': 'MIFARE Ultralight',
  '0026': 'MIFARE Mini',
  '003A': 'MIFARE Ultralight C',
  '003B': 'FeliCa',
  F004: 'Topaz',
  F011: 'FeliCa',
  F012: 'FeliCa',
};

/** Tells contact, contactless and memory cards apart by their answer to reset. */
export function cardKindOf(atr: Uint8Array): CardKind {
  const hex = toHex(atr);
  if (!CONTACTLESS.test(hex)) return { technology: 'Contact' };
  const type = MEMORY.exec(hex)?.[2];
  return type === undefined
    ? { technology: 'Contactless' }
    : { technology: 'Contactless', memory: MEMORY_CARDS[type] ?? `number ${type}` };
}
