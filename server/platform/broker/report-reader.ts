import { bodyOf, decode, type DeclaredMessage } from '../../../protocol/message.ts';
import { ReportsBatched } from '../../../protocol/messages/inspection.messages.ts';
import type { TopicParts } from '../../../protocol/topics.ts';
import { dropUnknown } from '../http/bodies/json-body.ts';
import {
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
  read(message: DeclaredMessage): unknown;
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
  const last = new Map<string, { payload: Buffer; body: unknown }>();
  return (message: DeclaredMessage, payload: Uint8Array): unknown => {
    const known = last.get(message.name);
    if (known?.payload.equals(payload)) return known.body;
    const body = cleanBody(message, decode(message, payload));
    if (message.retain) last.set(message.name, { payload: Buffer.from(payload), body });
    return body;
  };
}

/** Returns a body without unknown members, masked. */
function cleanBody(message: DeclaredMessage, body: unknown): unknown {
  dropUnknown(message.body, body);
  return maskReport(body);
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
