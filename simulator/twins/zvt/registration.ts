import { parseTlv, type Tlv } from '../../../protocol/emv/tlv.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { CHARACTER_SETS, DEFAULT_SET } from './charset.ts';

/** Bits of the config byte (PA00P015 §2.1). */
const PAYMENT_RECEIPTS = 0x02;
const ADMINISTRATION_RECEIPTS = 0x04;
const INTERMEDIATE_STATUS = 0x08;
const PRINT_COMMANDS = 0x80;

const PASSWORD_BYTES = 3;
const CURRENCY_BYTES = 2;
const SERVICE_BYTE = 0x03;
/** The print-text-block command, as tag 26 lists it. */
const TEXT_BLOCK = '06D3';

type ReceiptKind = 'payment' | 'administration';

/** What a cash register asked for when it registered (06 00). */
export interface Registration {
  tellsProgress: boolean;
  /** It speaks TLV: its registration had a container, even an empty one. */
  hasContainer: boolean;
  /** The character set that it asked for (tag 14), if the terminal has it; otherwise the terminal's own. */
  characterSet: number;
  /**
   * How it takes the receipts of a kind. `none`: the terminal prints them, or the cash register makes them out of
   * the status information.
   */
  receipts: Record<ReceiptKind, 'none' | 'lines' | 'blocks'>;
}

/** Reads `<password> <config> [<currency> [03 <service>] [06 <TLV container>]]`. */
export function readRegistration(data: Uint8Array): Registration {
  const config = data[PASSWORD_BYTES] ?? 0;
  const container = containerIn(data.subarray(PASSWORD_BYTES + 1 + CURRENCY_BYTES));
  const form = container && permits(container, TEXT_BLOCK) ? 'blocks' : 'lines';
  const formOf = (bit: number) => (config & bit && config & PRINT_COMMANDS ? form : 'none');
  return {
    tellsProgress: (config & INTERMEDIATE_STATUS) !== 0,
    hasContainer: container !== undefined,
    characterSet: container ? characterSetIn(container) : DEFAULT_SET,
    receipts: { payment: formOf(PAYMENT_RECEIPTS), administration: formOf(ADMINISTRATION_RECEIPTS) },
  };
}

function containerIn(fields: Uint8Array): Uint8Array | undefined {
  const rest = fields[0] === SERVICE_BYTE ? fields.subarray(2) : fields;
  return objectsOf(rest).find(({ tag }) => tag === '06')?.value;
}

function characterSetIn(container: Uint8Array): number {
  const asked = objectsOf(container).find(({ tag }) => tag === '14')?.value[0] ?? DEFAULT_SET;
  return asked in CHARACTER_SETS ? asked : DEFAULT_SET;
}

/** Whether tag 26 lists a command (0A) that the terminal may send. */
function permits(container: Uint8Array, command: string): boolean {
  const list = objectsOf(container).find(({ tag }) => tag === '26');
  return list
    ? objectsOf(list.value).some(({ tag, value }) => tag === '0A' && toHex(value) === command)
    : false;
}

/** None when the bytes are malformed. */
function objectsOf(bytes: Uint8Array): Tlv[] {
  try {
    return parseTlv(bytes);
  } catch {
    return [];
  }
}
