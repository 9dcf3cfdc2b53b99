import { bodyOf, decode, type DeclaredMessage } from '../../../protocol/message.ts';
import { ReportsBatched } from '../../../protocol/messages/inspection.messages.ts';
import type { TopicParts } from '../../../protocol/topics.ts';
import { dropUnknown } from '../http/bodies/json-body.ts';
import { maskReport } from './mask-report.ts';

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
