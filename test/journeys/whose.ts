/** Paths of what is not any single account's, and why. */
export const SHARED: readonly [RegExp, string][] = [
  [/^\/v1\/in-person\/(products|skus)/, 'the catalogue is the same for all'],
  [/^\/v1\/webhooks/, 'an endpoint is of the platform, who hears of its sub accounts: no Account header'],
  [/^\/v1\/transfers/, 'a transfer is of the platform, between it and a sub account: no Account header'],
  [/^\/v1\/platform-fees/, 'a platform fee is what the platform took of a sub account: no Account header'],
  [/^\/v1\/accounts\/\{id\}/, 'a platform sees its own account and its sub accounts: no Account header'],
];
/** What of its sub accounts a platform sees as if it were its own, and why. */
export const SEEN_BY_PLATFORM: readonly [RegExp, string][] = [
  [/^\/v1\/disputes/, 'without the Account header a platform has the disputes of its sub accounts to answer'],
];
/** What tells a platform which payments of its sub accounts it was about, and why. */
export const NAMES_PAYMENTS: readonly [RegExp, string][] = [
  [
    /^\/v1\/balance-transactions/,
    'a platform pays the processing fees of its sub accounts, and earns of them',
  ],
];
/** Reads that are no lists, or lists of which there are no pages. */
export const NO_PAGES = ['/v1/webhooks', '/v1/balances', '/v1/conversions/rate'];

/** Whether a path is in one of the tables. */
export function named(path: string, table: readonly [RegExp, string][]): boolean {
  return table.some(([of]) => of.test(path));
}
