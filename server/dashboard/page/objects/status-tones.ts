type Tone = 'good' | 'warn' | 'bad';

/** How each status of an object is coloured: it succeeded, it waits for something, or it failed. Others are grey. */
const TONES: Readonly<Record<string, Tone>> = {
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
  Enabled: 'good',
  Failed: 'bad',
  InProgress: 'warn',
  Invalid: 'bad',
  Lost: 'bad',
  Open: 'warn',
  Paid: 'good',
  PastDue: 'bad',
  Paused: 'warn',
  Pending: 'warn',
  PendingAccountVerification: 'warn',
  PendingAction: 'warn',
  PendingPayment: 'warn',
  Processing: 'warn',
  ReadyToShip: 'warn',
  Rejected: 'bad',
  Returned: 'bad',
  Sent: 'good',
  Settled: 'good',
  Shipped: 'good',
  Succeeded: 'good',
  Success: 'good',
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
