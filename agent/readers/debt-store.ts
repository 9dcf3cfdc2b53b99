import { keptFile } from './atomic-json-file.ts';
import type { CardRequest } from './reader.ts';

/**
 * A transaction at a payment terminal of which nobody knows whether it took money, or which took money that nobody
 * wants. It is taken back as soon as the terminal can be asked.
 */
export interface Debt {
  request: Pick<CardRequest, 'actionId' | 'type' | 'amountMinor' | 'currency'>;
  /** Which terminal it was, if it says; another one at the line knows nothing of it. */
  terminalId?: string;
  receiptNumber?: number;
  /** The terminal has said that it took the money. */
  approved?: boolean;
  /** The last receipt before it, by which its own is told. */
  receiptBefore?: number;
}

/** What a payment terminal still has to take back, kept through whatever happens to the process. */
export interface DebtStore {
  /** @throws Fault `journal`. */
  load(): Debt[];
  /** Returns once they are kept. @throws Fault `journal`. */
  save(debts: readonly Debt[]): void;
}

export function memoryDebts(): DebtStore {
  let kept = '[]';
  return {
    load: () => JSON.parse(kept) as Debt[],
    save: (debts) => void (kept = JSON.stringify(debts)),
  };
}

/** @throws Fault `journal` when the file cannot be made. */
export function fileDebts(path: string, options: { sync: boolean }): DebtStore {
  const file = keptFile(path, 'the open transactions', { ...options, read: readDebts });
  return { load: () => file.load() ?? [], save: (debts) => file.save([...debts]) };
}

/** Forgotten, money that is owed back would stay with the merchant. */
function readDebts(found: unknown): Debt[] {
  const isDebt = (debt: Debt | null) => typeof debt?.request?.actionId === 'string';
  if (!Array.isArray(found) || !found.every(isDebt)) throw new Error('it holds no transactions');
  return found as Debt[];
}
