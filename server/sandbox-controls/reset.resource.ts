import { Id, Type, type Static } from '../../protocol/schema.ts';
import { firstAccounts, seedFirstAccounts, type FirstAccounts } from '../api/bootstrap/bootstrap.ts';
import { deletionOf } from '../platform/store/delete-all-rows.ts';
import { storeResetTime } from '../platform/store/reset-time.records.ts';
import type { Transaction } from '../platform/store/store.ts';
import { scheduleRetention } from '../api/retention/retention.ts';
import type { Services } from '../platform/services.ts';
import { route, type Route } from '../platform/http/route.ts';

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
async function deleteSandboxData(
  tx: Transaction,
  { store, clock, realClock }: Pick<Services, 'store' | 'clock' | 'realClock'>,
): Promise<{ accounts: FirstAccounts; terminalIds: string[] }> {
  const deletion = deletionOf(CLEARED_TABLES, store);
  await deletion.lock(tx);
  const terminals = await tx.all<{ id: string }>(`SELECT id FROM terminals WHERE deleted = 0`);
  const accounts = await firstAccounts(tx);
  deletion.run(tx);
  tx.send(`DELETE FROM idempotency_keys WHERE status IS NOT NULL`);
  await seedFirstAccounts(tx, accounts, clock.nowMs());
  await storeResetTime(tx, realClock.nowMs());
  return { accounts, terminalIds: terminals.map(({ id }) => id) };
}

const Reset = Type.Object(
  {
    platformId: Id(
      'account',
      'Unique identifier of the platform account, which the API keys belong to; the same as before the reset',
    ),
    subAccountId: Id('account', 'Unique identifier of the first sub account; the same as before the reset'),
  },
  { title: 'SandboxReset', description: 'Accounts of the sandbox after a reset' },
);

/** Resets the sandbox, after any reset in progress (docs/choices.md, Reset). Returns the first two accounts. */
function resetSandbox(services: Services): Promise<Static<typeof Reset>> {
  return services.resets(async () => {
    const { activities, store } = services;
    const accounts = await store.transaction(
      async (tx) => {
        const { accounts: firstTwo, terminalIds } = await deleteSandboxData(tx, services);
        // The reset deletes its job.
        await scheduleRetention(tx, services);
        tx.afterCommit(() => {
          activities.emit({ kind: 'sandbox.reset' });
          for (const terminalId of terminalIds) activities.emit({ kind: 'terminal.removed', terminalId });
        });
        return firstTwo;
      },
      { guardedBy: ['sandboxReset'] },
    );
    await services.program.afterReset();
    return accounts;
  });
}

const resetRoute = route({
  operation: 'POST /sandbox/reset',
  surface: 'sandbox',
  tag: 'Sandbox clock',
  section: 'Sandbox',
  summary:
    'Delete all data but the API keys, the first two accounts, the clock and the catalogue. `tapbench up` creates its location, its terminal and the content of its seed file again.',
  reply: Reset,
  worksOutside: true,
  handle: ({ services }) => resetSandbox(services),
});

export const resetRoutes: readonly Route[] = [resetRoute];
