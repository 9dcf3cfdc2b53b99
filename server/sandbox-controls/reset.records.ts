import { firstAccounts, placeFirstAccounts, type FirstAccounts } from '../api/bootstrap/bootstrap.ts';
import type { Transaction } from '../platform/store/store.ts';

/** What a reset of the sandbox empties. */
export const FORGOTTEN_TABLES = [
  'locations',
  'terminals',
  'actions',
  'seen_cryptograms',
  'payment_sessions',
  'payment_transactions',
  'three_ds_runs',
  'webhooks',
  'events',
  'deliveries',
  'jobs',
  'postings',
  'balances',
  'balance_transactions',
  'transfers',
  'platform_fees',
  'platform_fee_refunds',
  'conversions',
  'persons',
  'account_links',
  'customers',
  'payment_methods',
  'subscriptions',
  'subscription_sessions',
  'payout_methods',
  'payouts',
  'disputes',
  'wallet_domains',
  'files',
  'accounts',
] as const;

/** What stays: keys, which accounts are the first two, how far ahead the clock is, which servers run, the catalogue. */
export const KEPT_TABLES = [
  'settings',
  'api_keys',
  'migrations',
  'instances',
  'products',
  'skus',
  'orders',
] as const;

/** Forgets everything but keys, clock and catalogue; the first two accounts are as on the first day. */
export async function forgetEverything(
  tx: Transaction,
  nowMs: number,
): Promise<{ accounts: FirstAccounts; terminalIds: string[] }> {
  const terminals = await tx.all<{ id: string }>(`SELECT id FROM terminals WHERE deleted = 0`);
  const accounts = await firstAccounts(tx);
  for (const table of FORGOTTEN_TABLES) await tx.run(`DELETE FROM ${table}`);
  await placeFirstAccounts(tx, accounts, nowMs);
  return { accounts, terminalIds: terminals.map(({ id }) => id) };
}
