import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { insertAccount } from '../../../../server/api/accounts/account.records.ts';
import { defaultSettings } from '../../../../server/api/accounts/account-settings.ts';
import { auditLedger } from '../../../../server/api/ledger/audit.ts';
import { balancesOf } from '../../../../server/api/ledger/balance.records.ts';
import type { BalanceTransactionRow } from '../../../../server/api/ledger/balance-transaction.records.ts';
import { registerConversionJobs } from '../../../../server/api/ledger/conversions.ts';
import type { Entry } from '../../../../server/api/ledger/ledger.ts';
import type { LedgerSession } from '../../../../server/api/ledger/payment-entries.ts';
import { postEntry } from '../../../../server/api/ledger/post-entry.ts';
import type { Services } from '../../../../server/platform/services.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store, Transaction } from '../../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { testServices } from '../../test-services.ts';

/** Monday, 9 in the morning. */
const MONDAY_MS = Date.UTC(2026, 0, 5, 9);

/** A ledger on a store in memory, in virtual time, with a platform and two sub accounts. */
export interface LedgerFixture {
  services: Services;
  store: Store;
  clock: VirtualClock;
  platformId: string;
  subId: string;
  otherId: string;
  /** Runs a function in a transaction. */
  within<T>(body: (tx: Transaction, services: Services) => Promise<T>): Promise<T>;
  post(entry: Entry): Promise<void>;
  /** Adds an adjustment to an account that is available at once. */
  fund(accountId: string, amountMinor: number, currency?: string): Promise<void>;
  session(accountId: string, more?: Partial<LedgerSession>): LedgerSession;
  /** Pending, cleared and available, minor units. */
  balance(accountId: string, currency?: string): Promise<[number, number, number]>;
  /** Balance transactions of an account as `type net`, oldest first. */
  balanceTransactions(accountId: string): Promise<string[]>;
  rows(accountId: string): Promise<BalanceTransactionRow[]>;
  /** Types of the events so far, oldest first. */
  events(): Promise<string[]>;
  audit(): Promise<string[]>;
}

export async function createLedgerFixture(): Promise<LedgerFixture> {
  const store = await openStore({ log: silentLog });
  const clock = new VirtualClock(MONDAY_MS, settled);
  const random = seededRandom('ledger');
  const services = testServices({ store, clock, random, instanceId: 'ledger' });
  const { ids, jobs } = services;
  registerConversionJobs(services);
  jobs.start();
  onTestFinished(async () => {
    await jobs.stop();
    await store.close();
  });

  async function settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!jobs.idle());
  }

  const platformId = await addAccount(services, null);
  const ledger: LedgerFixture = {
    services,
    store,
    clock,
    platformId,
    subId: await addAccount(services, platformId),
    otherId: await addAccount(services, platformId),
    within: (body) => store.transaction((tx) => body(tx, services)),
    post: (entry) => store.transaction((tx) => postEntry(tx, services, entry)),
    fund: (accountId, amountMinor, currency = 'GBP') =>
      ledger.post({
        outside: 'cards',
        lines: [
          {
            type: 'Adjustment',
            accountId,
            amountMinor,
            currency,
            origin: { id: 'txn_gift', amountMinor },
            availableMs: 0,
          },
        ],
      }),
    session: (accountId, more) => ({
      id: ids.make('paymentSession'),
      account_id: accountId,
      currency: 'GBP',
      payment_settings: null,
      ...more,
    }),
    async balance(accountId, currency = 'GBP') {
      const [sums] = await balancesOf(store, accountId, clock.nowMs(), [currency]);
      return sums ? [sums.pendingMinor, sums.clearedMinor, sums.availableMinor] : [0, 0, 0];
    },
    balanceTransactions: async (accountId) =>
      (await ledger.rows(accountId)).map(({ type, net_minor: net }) => `${type} ${net}`),
    rows: (accountId) =>
      store.all<BalanceTransactionRow>(
        `SELECT * FROM balance_transactions WHERE account_id = ? ORDER BY seq`,
        accountId,
      ),
    events: async () =>
      (await store.all<{ event_type: string }>(`SELECT event_type FROM events ORDER BY seq`)).map(
        (row) => row.event_type,
      ),
    audit: () => store.transaction((tx) => auditLedger(tx, clock.nowMs())),
  };
  return ledger;
}

async function addAccount({ store, ids, clock }: Services, platformId: string | null): Promise<string> {
  const id = ids.make('account');
  const type = platformId ? 'Sub' : 'Standard';
  const account = { id, platformId, type, name: 'A shop', settings: defaultSettings('A shop') } as const;
  await store.transaction((tx) => insertAccount(tx, account, clock.nowMs()));
  return id;
}
