import { seededRandom } from '../../../protocol/ids.ts';
import { defaultSettings } from '../../../server/api/accounts/account-settings.ts';
import { insertAccount } from '../../../server/api/accounts/account.records.ts';
import { postChargeback } from '../../../server/api/ledger/payment-entries.ts';
import { postEntry } from '../../../server/api/ledger/post-entry.ts';
import { createTransfer } from '../../../server/api/ledger/transfers.ts';
import type { Services } from '../../../server/platform/services.ts';
import type { Queries, Store } from '../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { fakeGateway } from '../../server/platform/http/fake-gateway.ts';
import { fakeJobs } from '../../server/platform/http/fake-jobs.ts';
import { testServices } from '../../server/test-services.ts';
import type { Contender } from './interleavings.ts';

const NOW_MS = Date.UTC(2026, 2, 2, 12);
const PLATFORM = 'ac_00000000-0000-4000-8000-000000000001';
const SUB_ACCOUNT = 'ac_00000000-0000-4000-8000-000000000002';
/** What each of two takes from a balance that suffices for one. */
const AMOUNT = 1_000;
const HELD = 1_500;

const clock = new VirtualClock(NOW_MS);
const random = seededRandom('balance');

function servicesOn(store: Store): Services {
  return testServices({ store, clock, random }, { gateway: fakeGateway(), jobs: fakeJobs() });
}

/** The balance of a sub account, which suffices for one of two that take from it. */
export const balance = {
  async prepare(store: Store) {
    for (const table of ['accounts', 'balances', 'balance_transactions', 'postings', 'transfers', 'events'])
      await store.run(`DELETE FROM ${table}`);
    const services = servicesOn(store);
    await store.transaction(async (tx) => {
      for (const [id, platformId] of [
        [PLATFORM, null],
        [SUB_ACCOUNT, PLATFORM],
      ] as const) {
        const type = platformId ? ('Sub' as const) : ('Standard' as const);
        const account = { id, platformId, type, name: 'Shop', settings: defaultSettings('Shop') };
        await insertAccount(tx, account, NOW_MS);
      }
      const line = { type: 'Adjustment' as const, accountId: SUB_ACCOUNT, currency: 'GBP' as const };
      const origin = { id: 'txn_gift', amountMinor: HELD };
      const lines = [{ ...line, amountMinor: HELD, origin, availableMs: 0 }];
      await postEntry(tx, services, { outside: 'cards', lines });
    });
  },
  state: (queries: Queries) =>
    queries.all(
      `SELECT account_id, SUM(amount_minor) AS minor FROM balances
       GROUP BY account_id HAVING SUM(transactions) > 0 ORDER BY account_id`,
    ),
};

/** A chargeback of a payment of the sub account. Returns who pays it. */
export const chargeback =
  (sessionId: string): Contender =>
  (store) =>
    store.transaction(
      async (tx) => {
        const session = {
          id: sessionId,
          account_id: SUB_ACCOUNT,
          currency: 'GBP' as const,
          payment_settings: null,
        };
        tx.delayReset();
        const posting = { session, transactionId: `txn_${sessionId}`, amountMinor: AMOUNT };
        return (await postChargeback(tx, servicesOn(store), posting)).bearerId;
      },
      { guardedBy: ['chargebackPayer'] },
    );

/** A transfer from the sub account. Returns its status. */
export const transfer: Contender = (store) =>
  store.transaction(
    async (tx) => {
      const sides = { fromId: SUB_ACCOUNT, toId: PLATFORM, accountId: PLATFORM, source: SUB_ACCOUNT };
      const order = { ...sides, amount: AMOUNT, currency: 'GBP' as const };
      return (await createTransfer(tx, servicesOn(store), order)).status;
    },
    { guardedBy: ['availableBalance', 'chargebackPayer'] },
  );
