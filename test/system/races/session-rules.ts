import type { Rules } from './rules.ts';

/** A payment session by docs/choices/payments.md and sections 2.2 and 3 of the specification. */
export interface SessionState {
  status: 'Approved' | 'Captured' | 'Voided';
  amount: number;
  captured: number;
  refunded: number;
  /** The amount of its open dispute. */
  disputed: number;
}

export type SessionRequest =
  | { what: 'capture'; amount?: number; captureType?: 'Final' | 'NotFinal' }
  | { what: 'void' }
  | { what: 'refund'; amount?: number }
  | { what: 'dispute'; amount?: number };

const refused = (message: string) => ({ refused: `400 ${message}` });

export const sessionRules: Rules<SessionState, SessionRequest> = (state, request) => {
  switch (request.what) {
    case 'capture':
      return captured(state, request);
    case 'void':
      if (state.status !== 'Approved')
        return refused(`only an Approved payment can be voided: this one is ${state.status}`);
      if (state.captured > 0) return refused('a partly captured payment cannot be voided');
      return { after: { ...state, status: 'Voided' } };
    case 'refund':
      return refunded(state, request);
    case 'dispute':
      return disputed(state, request);
  }
};

function captured(
  state: SessionState,
  { amount: wanted, captureType = 'Final' }: SessionRequest & { what: 'capture' },
) {
  if (state.status !== 'Approved')
    return refused(`only an Approved payment can be captured: this one is ${state.status}`);
  const left = state.amount - state.captured;
  const amount = wanted ?? left;
  if (amount > left) return refused(`amount must be 1 to ${left}, the amount left to capture`);
  const isOver = captureType === 'Final' || amount === left;
  const status = isOver ? ('Captured' as const) : state.status;
  return { after: { ...state, status, captured: state.captured + amount } };
}

function refunded(state: SessionState, { amount: wanted }: { amount?: number }) {
  if (state.status !== 'Captured') return refused('only a captured payment can be refunded');
  const left = state.captured - state.refunded;
  if (left === 0) return refused('the payment is already fully refunded');
  if (left === state.disputed) return refused('the rest of the payment is disputed and cannot be refunded');
  const most = left - state.disputed;
  const amount = wanted ?? most;
  if (amount > most) return refused(`amount must be 1 to ${most}, the amount left to refund`);
  return { after: { ...state, refunded: state.refunded + amount } };
}

function disputed(state: SessionState, { amount: wanted }: { amount?: number }) {
  if (state.status !== 'Captured' || state.disputed > 0)
    return refused('only a captured payment without a dispute can be disputed');
  const most = state.captured - state.refunded;
  if (most === 0) return refused('the payment is already fully refunded');
  const amount = wanted ?? most;
  if (amount > most) return refused(`amount must be 1 to ${most}, the amount that is not refunded`);
  return { after: { ...state, disputed: amount } };
}
