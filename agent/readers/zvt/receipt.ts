import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import type { DeviceReceipt } from '../reader.ts';
import { parseBitmaps } from './bitmaps.ts';
import { characterSetIn, decodeText, objectsOf, type CharacterSet } from './charset.ts';
import { CONTROL, type Apdu } from './frame.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** Receipt type (TLV 1F07, PA00P015 §3.9). In a line-by-line print the attribute of the last line has it (§3.8). */
type ReceiptType = 'merchant' | 'customer' | 'administration';

const TYPE_NUMBERS: Record<ReceiptType, number> = { merchant: 1, customer: 2, administration: 3 };
// §3.8, attribute: FF feeds lines; 80 and above ends a receipt, with the receipt type in the low bits.
const ATTRIBUTE_FEED = 0xff;
const ATTRIBUTE_LAST = 0x80;
const FEEDS_MAX = 10;
// Far more than a receipt has. It keeps a faulty terminal from filling the memory.
const LINES_MAX = 2_000;

const typeOf = (number: number | undefined): ReceiptType | undefined =>
  keysOf(TYPE_NUMBERS).find((type) => TYPE_NUMBERS[type] === number);

/** Collects the receipt copies from the print commands of a terminal, in lines or in text blocks. */
interface ReceiptCollector {
  /** Adds a print command, 06 D1 or 06 D3. */
  take(apdu: Apdu): void;
  /** Returns both copies, or undefined when nothing was printed. If only one was printed, it stands for both. */
  receipt(): DeviceReceipt | undefined;
  /** Returns everything printed so far, in order, for reports such as the end of day. */
  text(): string;
}

/**
 * Creates a collector. Card numbers in receipts are masked.
 * @param set character set of the terminal; a text block may name another.
 */
export function createReceiptCollector(set?: CharacterSet): ReceiptCollector {
  const copies = new Map<ReceiptType, string[]>();
  const everything: string[] = [];
  let open: string[] = [];

  const add = (lines: string[]) => {
    const room = LINES_MAX - everything.length;
    const taken = lines.slice(0, room).map((line) => maskCardNumbers(line, 'whole'));
    open.push(...taken);
    everything.push(...taken);
  };
  const finish = (type: ReceiptType | undefined) => {
    // A terminal that does not send the receipt type prints the merchant copy first.
    const named = type ?? (copies.has('merchant') ? 'customer' : 'merchant');
    copies.set(named, [...(copies.get(named) ?? []), ...open]);
    open = [];
  };
  const takeLine = ([attribute, ...text]: Uint8Array) => {
    if (attribute === undefined) return;
    if (attribute === ATTRIBUTE_FEED) return add(Array(Math.min(text[0] ?? 1, FEEDS_MAX)).fill(''));
    add([decodeText(Uint8Array.from(text), set)]);
    if (attribute >= ATTRIBUTE_LAST) finish(typeOf(attribute & 0x0f));
  };
  const takeBlock = (data: Uint8Array) => {
    const container = parseBitmaps(data).get(0x06);
    const objects = container ? objectsOf(container) : [];
    const ownSet = characterSetIn(container) ?? set;
    const type = typeOf(objects.find(({ tag }) => tag === '1F07')?.value[0]);
    for (const { tag, value } of objects) {
      if (tag === '25')
        add(objectsOf(value).flatMap((line) => (line.tag === '07' ? [decodeText(line.value, ownSet)] : [])));
    }
    finish(type);
  };
  return {
    take: ({ control, data }) => (control === CONTROL.printLine ? takeLine(data) : takeBlock(data)),
    receipt() {
      if (open.length > 0) finish(undefined);
      const [merchant, customer] = [copies.get('merchant'), copies.get('customer')];
      const some = merchant ?? customer;
      if (!some) return undefined;
      return {
        merchantCopy: (merchant ?? some).join('\n'),
        customerCopy: (customer ?? some).join('\n'),
      };
    },
    text: () => everything.join('\n'),
  };
}
