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
