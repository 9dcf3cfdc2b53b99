import { atomicJsonFile } from './atomic-json-file.ts';
import type { CardRequest } from './reader.ts';

/**
 * A transaction at a payment terminal with an unknown outcome, or an approval that is not wanted any more. It is
 * reversed as soon as the terminal is available.
 */
export interface PendingReversal {
  request: Pick<CardRequest, 'actionId' | 'type' | 'amountMinor' | 'currency'>;
  /** Id of the terminal, if it has one. Other terminals do not have this transaction. */
  terminalId?: string;
  receiptNumber?: number;
  /** Receipt of an approval of another amount or currency. It is of this transaction if it is the terminal's last one. */
  otherAmountReceipt?: number;
  /** What the terminal approved, where it is another amount or currency. */
  otherAmount?: { amountMinor: number; currency: string };
  /** Whether the terminal has reported an approval. */
  approved?: boolean;
  /** Number of the last receipt before it, to recognise its own. */
  receiptBefore?: number;
}

/** Stores the pending reversals of a payment terminal across restarts. */
export interface PendingReversalStore {
  /** @throws Fault `journal`. */
  load(): PendingReversal[];
  /** Returns once they are stored. @throws Fault `journal`. */
  save(pendingReversals: readonly PendingReversal[]): void;
}

/** Creates a store in memory. */
export function memoryPendingReversals(): PendingReversalStore {
  let kept = '[]';
  return {
    load: () => JSON.parse(kept) as PendingReversal[],
    save: (pendingReversals) => void (kept = JSON.stringify(pendingReversals)),
  };
}

/** Creates a store in a JSON file. @throws Fault `journal` when its folder cannot be created. */
export function filePendingReversals(path: string, options: { sync: boolean }): PendingReversalStore {
  const file = atomicJsonFile(path, 'the open transactions', { ...options, read: readDebts });
  return { load: () => file.load() ?? [], save: (pendingReversals) => file.save([...pendingReversals]) };
}

/** An unreadable file is an error: to ignore it would leave transactions unreversed. */
function readDebts(found: unknown): PendingReversal[] {
  const isPendingReversal = (reversal: PendingReversal | null) =>
    typeof reversal?.request?.actionId === 'string';
  if (!Array.isArray(found) || !found.every(isPendingReversal)) throw new Error('it holds no transactions');
  return found as PendingReversal[];
}
