import type { ActionView } from '../../view.ts';

export type CopyName = 'merchantCopy' | 'customerCopy';

/** A copy of a receipt that the page shows. */
export interface ReceiptCopy {
  copy: CopyName;
  /** `unconfirmed`: the point of sale must confirm that it was printed. */
  status: 'printed' | 'unconfirmed';
}

const COPIES: readonly CopyName[] = ['merchantCopy', 'customerCopy'];
const PRINTED_STATES = ['approved.completing', 'approved.awaitingEnd', 'succeeded'];

/**
 * Returns the copies to show: those the terminal has printed, by the state of its machine, or the one that the point
 * of sale must confirm.
 */
export function copiesOf(action: ActionView | null): ReceiptCopy[] {
  if (!action) return [];
  const { state, status, receiptPrintingSource } = action;
  if (receiptPrintingSource === 'PointOfSale') {
    const required = COPIES.find((copy) => action[copy] === 'Required');
    return required && status === 'InProgress' ? [{ copy: required, status: 'unconfirmed' }] : [];
  }
  const both = status === 'Succeeded' || (status === 'InProgress' && PRINTED_STATES.includes(state ?? ''));
  const out = both
    ? COPIES
    : state === 'approved.printing.merchantCopy'
      ? COPIES.slice(0, 1)
      : state === 'approved.printing.customerCopy'
        ? COPIES
        : [];
  return out.filter((copy) => action[copy] !== 'Failed').map((copy) => ({ copy, status: 'printed' }));
}

export const COPY_LABELS = { merchantCopy: 'Merchant copy', customerCopy: 'Customer copy' } as const;
