/** Paths of objects that belong to no single account, and why. */
export const SHARED: readonly [RegExp, string][] = [
  [/^\/v1\/in-person\/(products|skus)/, 'the catalogue is the same for all'],
  [
    /^\/v1\/webhooks/,
    'an endpoint is of the platform, which receives the events of its sub accounts: no Account header',
  ],
  [/^\/v1\/transfers/, 'a transfer is of the platform, between it and a sub account: no Account header'],
  [/^\/v1\/platform-fees/, 'a platform fee is what the platform took of a sub account: no Account header'],
  [/^\/v1\/accounts\/\{id\}/, 'a platform sees its own account and its sub accounts: no Account header'],
];
/** Paths where a platform sees objects of its sub accounts as its own, and why. */
export const SEEN_BY_PLATFORM: readonly [RegExp, string][] = [
  [/^\/v1\/disputes/, 'without the Account header a platform has the disputes of its sub accounts to answer'],
];
/** Paths where objects of a platform name payments of its sub accounts, and why. */
export const NAMES_PAYMENTS: readonly [RegExp, string][] = [
  [
    /^\/v1\/balance-transactions/,
    'a platform pays the processing fees of its sub accounts, and earns of them',
  ],
];
/** GET operations that are no lists, or lists without pages. */
export const NO_PAGES = ['/v1/webhooks', '/v1/balances', '/v1/conversions/rate'];

/** Whether a path is in one of the tables. */
export function named(path: string, table: readonly [RegExp, string][]): boolean {
  return table.some(([of]) => of.test(path));
}
