import { parseTlv, type Tlv } from '../../../protocol/emv/tlv.ts';
import type { TerminalMemory } from '../stand-alone/journal.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { CHARACTER_SETS, DEFAULT_SET } from './fields.ts';

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

/** Options of a registration (06 00). */
export interface Registration {
  sendsIntermediateStatus: boolean;
  /** Whether the ECR supports TLV: its registration had a container, even an empty one. */
  hasContainer: boolean;
  /** Whether the container asks for a character set (tag 14). Only then the terminal names its own. */
  negotiatesCharacterSet: boolean;
  /** The requested character set (tag 14) if the terminal supports it, otherwise the default. */
  characterSet: number;
  /**
   * How receipts of each kind are sent. `none`: the terminal prints them, or the ECR builds them from the status
   * information.
   */
  receipts: Record<ReceiptKind, 'none' | 'lines' | 'blocks'>;
}

/** The last registration at a terminal, until a log-off. */
export interface Registrations {
  current: Registration | undefined;
}

// A registration survives a disconnection, like the terminal's memory.
const registrations = new WeakMap<TerminalMemory, Registrations>();

/** Returns the registrations at the terminal with this memory. */
export function registrationsOf(memory: TerminalMemory): Registrations {
  const known = registrations.get(memory) ?? { current: undefined };
  registrations.set(memory, known);
  return known;
}

/** Parses `<password> <config> [<currency> [03 <service>] [06 <TLV container>]]`. */
export function readRegistration(data: Uint8Array): Registration {
  const config = data[PASSWORD_BYTES] ?? 0;
  const container = containerIn(data.subarray(PASSWORD_BYTES + 1 + CURRENCY_BYTES));
  const form = container && permits(container, TEXT_BLOCK) ? 'blocks' : 'lines';
  const asked = container && characterSetIn(container);
  const formOf = (bit: number) => (config & bit && config & PRINT_COMMANDS ? form : 'none');
  return {
    sendsIntermediateStatus: (config & INTERMEDIATE_STATUS) !== 0,
    hasContainer: container !== undefined,
    negotiatesCharacterSet: asked !== undefined,
    characterSet: asked !== undefined && asked in CHARACTER_SETS ? asked : DEFAULT_SET,
    receipts: { payment: formOf(PAYMENT_RECEIPTS), administration: formOf(ADMINISTRATION_RECEIPTS) },
  };
}

function containerIn(fields: Uint8Array): Uint8Array | undefined {
  const rest = fields[0] === SERVICE_BYTE ? fields.subarray(2) : fields;
  return objectsOf(rest).find(({ tag }) => tag === '06')?.value;
}

function characterSetIn(container: Uint8Array): number | undefined {
  return objectsOf(container).find(({ tag }) => tag === '14')?.value[0];
}

/** Returns whether tag 26 lists this command (0A). */
function permits(container: Uint8Array, command: string): boolean {
  const list = objectsOf(container).find(({ tag }) => tag === '26');
  return list
    ? objectsOf(list.value).some(({ tag, value }) => tag === '0A' && toHex(value) === command)
    : false;
}

/** Returns an empty list when the bytes are malformed. */
function objectsOf(bytes: Uint8Array): Tlv[] {
  try {
    return parseTlv(bytes);
  } catch {
    return [];
  }
}
