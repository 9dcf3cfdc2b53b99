import type { ActionView } from '../../view.ts';

export type CopyName = 'merchantCopy' | 'customerCopy';

/** A copy of a receipt that lies somewhere to be seen. */
export interface PaperCopy {
  copy: CopyName;
  /** `asked`: the point of sale has to say whether it printed it. */
  status: 'printed' | 'asked';
}

const COPIES: readonly CopyName[] = ['merchantCopy', 'customerCopy'];
const DONE = ['approved.completing', 'approved.awaitingEnd', 'succeeded'];

/** Which copies are out: of the terminal's printer by the state of its machine, at the point of sale by what is asked. */
export function copiesOf(action: ActionView | null): PaperCopy[] {
  if (!action) return [];
  const { state, status, receiptPrintingSource } = action;
  if (receiptPrintingSource === 'PointOfSale') {
    const asked = COPIES.find((copy) => action[copy] === 'Required');
    return asked && status === 'InProgress' ? [{ copy: asked, status: 'asked' }] : [];
  }
  const both = status === 'Succeeded' || (status === 'InProgress' && DONE.includes(state ?? ''));
  const out = both
    ? COPIES
    : state === 'approved.printing.merchantCopy'
      ? COPIES.slice(0, 1)
      : state === 'approved.printing.customerCopy'
        ? COPIES
        : [];
  return out.filter((copy) => action[copy] !== 'Failed').map((copy) => ({ copy, status: 'printed' }));
}

export const COPY_WORDS = { merchantCopy: 'Merchant copy', customerCopy: 'Customer copy' } as const;
