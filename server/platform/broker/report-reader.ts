import { bodyOf, decode, type DeclaredMessage } from '../../../protocol/message.ts';
import { ReportsBatched } from '../../../protocol/messages/inspection.messages.ts';
import type { TopicParts } from '../../../protocol/topics.ts';
import { dropUnknown } from '../http/bodies/json-body.ts';
import {
  hasWrittenCardNumber,
  isLikelyCardNumberAsNumber,
  maskCardNumbers,
  maskCardNumbersInHex,
} from '../../../protocol/card-numbers.ts';
import { isObject } from '../../../protocol/outside-json.ts';

/** A report that arrived, alone or in a batch. */
export interface ArrivedReport extends TopicParts {
  /** Length of its payload, about that when it came in a batch. */
  bytes: number;
  /**
   * Returns its body, masked.
   * @throws Fault `garbage_message` when it does not match the declaration.
   */
  read(message: DeclaredMessage): ReadReport;
}

interface ReadReport {
  /** Masked. */
  body: unknown;
  /** Whether the terminal sent a card number. */
  hadCardNumber: boolean;
}

/**
 * Creates a function that returns the reports in a message: the message itself, or those of a batch. It throws Fault
 * `garbage_message` for a batch that cannot be read.
 */
export function createReportReader(): (address: TopicParts, payload: Uint8Array) => ArrivedReport[] {
  const read = createBodyReader();
  return (address, payload) => {
    const bytes = payload.length;
    if (address.audience !== ReportsBatched.audience || address.message !== ReportsBatched.name)
      return [{ ...address, bytes, read: (message) => read(message, payload) }];
    const { reports } = decode(ReportsBatched, payload);
    return reports.map(({ name, body }) => ({
      ...address,
      message: name,
      bytes: bytes / reports.length,
      read: (message) => cleanBody(message, bodyOf(message, body)),
    }));
  };
}

/**
 * Creates a function that decodes a report and masks it. A retained report says what a terminal is, and the terminals
 * of a fleet say the same: one equal to the last of its name has the same body, which handlers must not change.
 */
function createBodyReader() {
  const last = new Map<string, { payload: Buffer; read: ReadReport }>();
  return (message: DeclaredMessage, payload: Uint8Array): ReadReport => {
    const known = last.get(message.name);
    if (known?.payload.equals(payload)) return known.read;
    const read = cleanBody(message, decode(message, payload));
    if (message.retain) last.set(message.name, { payload: Buffer.from(payload), read });
    return read;
  };
}

/** Returns a body without unknown members, masked. */
function cleanBody(message: DeclaredMessage, body: unknown): ReadReport {
  dropUnknown(message.body, body);
  const masked = maskReport(body);
  return { body: masked, hadCardNumber: masked !== body && hasCardNumber(body) };
}

/**
 * Returns whether a report has a card number for certain: more is masked than can be held against a terminal. Bytes of a reader
 * are not looked at, whose lengths and amounts may look like one.
 */
export function hasCardNumber(value: unknown, member = ''): boolean {
  if (typeof value === 'string')
    return !UNTOUCHED.has(member) && member !== 'bytes' && hasWrittenCardNumber(value);
  if (typeof value === 'number') return isLikelyCardNumberAsNumber(value);
  if (Array.isArray(value)) return value.some((item) => hasCardNumber(item, member));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => hasWrittenCardNumber(name) || hasCardNumber(inner, name),
  );
}

/**
 * Members that are compared or decrypted, so a change would break them: ids, whose digits can look like a card number
 * by chance, and hexadecimal digits that a cryptogram covers or a key encrypts. None is stored.
 */
const UNTOUCHED = new Set(['requestId', 'actionId', 'emv', 'ksn', 'cipherText', 'pinBlock']);

/**
 * Masks card numbers in every text of a report, property names included. A number that looks like a card number
 * becomes 0, since no count or time is that large. Terminals mask card numbers themselves; this is for firmware that
 * does not. A value without card numbers is returned itself, and nothing of it is copied.
 */
export function maskReport(value: unknown, member = ''): unknown {
  if (typeof value === 'string') {
    if (UNTOUCHED.has(member)) return value;
    return member === 'bytes' ? maskCardNumbersInHex(value) : maskCardNumbers(value, 'likely');
  }
  if (typeof value === 'number') return isLikelyCardNumberAsNumber(value) ? 0 : value;
  if (Array.isArray(value)) {
    const isSame = value.every((item) => maskReport(item, member) === item);
    return isSame ? value : value.map((item) => maskReport(item, member));
  }
  if (!isObject(value)) return value;
  const isSame = Object.keys(value).every(
    (name) => maskCardNumbers(name, 'likely') === name && maskReport(value[name], name) === value[name],
  );
  if (isSame) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [maskCardNumbers(name, 'likely'), maskReport(inner, name)]),
  );
}
