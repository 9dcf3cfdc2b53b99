type Tone = 'good' | 'warn' | 'bad';

/** How each status of an object is coloured: it succeeded, it waits for something, or it failed. Others are grey. */
export const TONES: Readonly<Record<string, Tone>> = {
  Accepted: 'bad',
  ActionRequired: 'warn',
  Active: 'good',
  Approved: 'good',
  Available: 'good',
  AwaitingPayment: 'warn',
  Captured: 'good',
  Challenged: 'warn',
  Cleared: 'good',
  Completed: 'good',
  Declined: 'bad',
  Failed: 'bad',
  InProgress: 'warn',
  Invalid: 'bad',
  Lost: 'bad',
  Open: 'warn',
  PastDue: 'bad',
  Paused: 'warn',
  Pending: 'warn',
  PendingAccountAction: 'warn',
  PendingAccountVerification: 'warn',
  PendingAction: 'warn',
  PendingPayment: 'warn',
  PendingPayoutMethodAction: 'warn',
  PendingTransactionVerification: 'warn',
  Processing: 'warn',
  ReadyToShip: 'warn',
  Returned: 'bad',
  Settled: 'good',
  Shipped: 'good',
  Succeeded: 'good',
  Unavailable: 'bad',
  Valid: 'good',
  VerificationPending: 'warn',
  Verified: 'good',
  Won: 'good',
};

/** Returns the colour of a status; an empty text for grey. */
export function toneOf(status: string): Tone | '' {
  return Object.hasOwn(TONES, status) ? TONES[status]! : '';
}
