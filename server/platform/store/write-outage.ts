import { Fault, messageOf } from '../../../protocol/failures.ts';
import { sqliteErrorCode } from './sqlite-connection.ts';
import type { WriteFailure, WriteOutage } from './store.ts';

// Primary result codes, https://sqlite.org/rescode.html: READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB.
const LASTING_CODES = [8, 10, 11, 14, 26];

/** @param broken whether a sync has failed, after which nothing is written in this process any more */
export function createOutageTracker(broken: () => boolean) {
  const listeners: (() => void)[] = [];
  let current: WriteFailure | undefined;

  function begin(fault: unknown): void {
    const code = fault instanceof Fault ? sqliteErrorCode(fault.cause) : undefined;
    if (code === undefined && !broken()) return;
    const before = current;
    const lasting = broken() || LASTING_CODES.includes(code! & 0xff);
    current = { reason: messageOf(fault), lasting };
    if (!before) for (const listener of listeners) listener();
  }

  const trouble: WriteOutage = {
    current: () => current,
    onBegin: (listener) => void listeners.push(listener),
  };
  return {
    trouble,
    /** Notes how a group of transactions ended; one that only read is no proof that writing works. */
    note(outcome: { fault: unknown } | { wrote: boolean }): void {
      if ('fault' in outcome) begin(outcome.fault);
      else if (outcome.wrote) current = undefined;
    },
  };
}
