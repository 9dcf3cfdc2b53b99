import { ReversalReported, type ReportedReversal } from '../protocol/messages/reversal.messages.ts';
import { atomicJsonFile } from './readers/atomic-json-file.ts';

/** A report as it is sent. */
export type StoredReversal = ReportedReversal;

/** Stores the reports of reversals that the server has not recorded, across restarts. */
export interface ReversalReportStore {
  /** @throws Fault `journal`. */
  load(): StoredReversal[];
  /** Returns once they are stored. @throws Fault `journal`. */
  save(reports: readonly StoredReversal[]): void;
}

/** Creates a store in memory. */
export function memoryReversalReports(): ReversalReportStore {
  let kept: StoredReversal[] = [];
  return { load: () => [...kept], save: (reports) => void (kept = [...reports]) };
}

/** Creates a store in a JSON file. @throws Fault `journal` when its folder cannot be created. */
export function fileReversalReports(path: string, options: { sync: boolean }): ReversalReportStore {
  const file = atomicJsonFile(path, 'the reports of reversals', { ...options, read: readReports });
  return { load: () => file.load() ?? [], save: (reports) => file.save([...reports]) };
}

function readReports(found: unknown): StoredReversal[] {
  const isReport = (report: unknown) => ReversalReported.check(report).length === 0;
  if (!Array.isArray(found) || !found.every(isReport)) throw new Error('it holds no reports of reversals');
  return found as StoredReversal[];
}
