import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { encodeText, type CharacterSet } from './charset.ts';

/** Numbers of the copies, in the attribute of the last line (PA00P015 §3.5) and receipt type 1F07 (§3.6). */
const COPY_NUMBERS = { merchant: 1, customer: 2, administration: 3 } as const;
export type PrintedCopy = keyof typeof COPY_NUMBERS;

const PRINT_LINE = 0x06d1;
const PRINT_TEXT_BLOCK = 0x06d3;
const LAST_LINE = 0x80;

/** A print command: its control field and data. */
interface PrintCommand {
  control: number;
  data: Uint8Array;
}

/** Builds 06 D1 for each line. The attribute of the last line has the copy. */
export function lineCommands(
  lines: readonly string[],
  copy: PrintedCopy,
  set?: CharacterSet,
): PrintCommand[] {
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const attribute = isLast ? LAST_LINE | COPY_NUMBERS[copy] : 0;
    return { control: PRINT_LINE, data: concat(Uint8Array.of(attribute), encodeText(line, set)) };
  });
}

/** Builds 06 D3: one container with the receipt type and all lines. */
export function blockCommand(lines: readonly string[], copy: PrintedCopy, set?: CharacterSet): PrintCommand {
  const texts = lines.map((line) => encodeTlv('07', encodeText(line, set)));
  const receipt = concat(
    encodeTlv('1F07', Uint8Array.of(COPY_NUMBERS[copy])),
    encodeTlv('25', concat(...texts)),
  );
  return { control: PRINT_TEXT_BLOCK, data: encodeTlv('06', receipt) };
}
