/** Kinds of objects, by the `type` of /sandbox/objects. */
export const OBJECT_KINDS = {
  paymentSession: 'Payment sessions',
  transaction: 'Transactions',
  dispute: 'Disputes',
  customer: 'Customers',
  paymentMethod: 'Payment methods',
  subscription: 'Subscriptions',
  account: 'Accounts',
  person: 'Persons',
  payoutMethod: 'Payout methods',
  payout: 'Payouts',
  balance: 'Balances',
  balanceTransaction: 'Balance transactions',
  transfer: 'Transfers',
  platformFee: 'Platform fees',
  platformFeeRefund: 'Platform fee refunds',
  conversion: 'Conversions',
  file: 'Files',
  walletDomain: 'Wallet domains',
  terminal: 'Terminals',
  action: 'Terminal actions',
  location: 'Locations',
  product: 'Products',
  sku: 'SKUs',
  order: 'Orders',
  event: 'Events',
  webhook: 'Webhooks',
} as const;
export type ObjectKind = keyof typeof OBJECT_KINDS;

export function isObjectKind(text: string): text is ObjectKind {
  return Object.hasOwn(OBJECT_KINDS, text);
}

export const DEFAULT_KIND: ObjectKind = 'paymentSession';

/** Returns a kind as the name of one object: `Payment session`. */
export function nameOfOne(kind: ObjectKind): string {
  return OBJECT_KINDS[kind].slice(0, -1);
}

/** Kinds with a state machine on the server, whose chart and timeline the page shows. */
const WITH_MACHINE: readonly ObjectKind[] = [
  'paymentSession',
  'subscription',
  'dispute',
  'payout',
  'account',
  'person',
];

export function hasMachine(kind: ObjectKind): boolean {
  return WITH_MACHINE.includes(kind);
}

/** The statuses of each kind that has one, by which its list is filtered. */
export const OBJECT_STATUSES: { readonly [Kind in ObjectKind]?: readonly string[] } = {
  paymentSession: ['PendingPayment', 'PendingAction', 'Processing', 'Approved', 'Captured', 'Voided'],
  transaction: ['Pending', 'Failed', 'Succeeded'],
  dispute: ['Open', 'Cancelled', 'Accepted', 'Challenged', 'Lost', 'Won', 'Expired'],
  subscription: ['Pending', 'Active', 'PastDue', 'Paused', 'Cancelled', 'Ended'],
  payoutMethod: ['Pending', 'Valid', 'Invalid'],
  payout: [
    'Pending',
    'InProgress',
    'Completed',
    'Failed',
    'PendingAccountVerification',
    'PendingTransactionVerification',
    'PendingPayoutMethodAction',
    'PendingAccountAction',
    'Cancelled',
    'Expired',
    'Recalled',
    'Returned',
  ],
  transfer: ['Pending', 'Declined', 'Completed'],
  platformFeeRefund: ['Pending', 'Failed', 'Succeeded'],
  conversion: ['InProgress', 'Settled'],
  action: ['InProgress', 'Succeeded', 'Failed', 'Cancelled'],
};

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
