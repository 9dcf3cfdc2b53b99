import { firstAccounts, seedFirstAccounts, type FirstAccounts } from '../api/bootstrap/bootstrap.ts';
import type { Transaction } from '../platform/store/store.ts';

/** Tables that a reset of the sandbox empties. */
export const CLEARED_TABLES = [
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
  'requests',
  'action_timelines',
  'fault_plans',
  'fault_strikes',
  'fault_recoveries',
  'accounts',
] as const;

/**
 * Tables that a reset preserves: settings (the first two accounts, the clock), keys, instances and the catalogue, and of
 * the idempotency keys those of requests under way, one of which is the reset itself.
 */
export const PRESERVED_TABLES = [
  'settings',
  'api_keys',
  'migrations',
  'instances',
  'idempotency_keys',
  'products',
  'skus',
  'orders',
] as const;

/** Deletes everything but keys, clock and catalogue, and recreates the first two accounts. */
export async function deleteSandboxData(
  tx: Transaction,
  nowMs: number,
): Promise<{ accounts: FirstAccounts; terminalIds: string[] }> {
  const terminals = await tx.all<{ id: string }>(`SELECT id FROM terminals WHERE deleted = 0`);
  const accounts = await firstAccounts(tx);
  for (const table of CLEARED_TABLES) await tx.run(`DELETE FROM ${table}`);
  await tx.run(`DELETE FROM idempotency_keys WHERE status IS NOT NULL`);
  await seedFirstAccounts(tx, accounts, nowMs);
  return { accounts, terminalIds: terminals.map(({ id }) => id) };
}
