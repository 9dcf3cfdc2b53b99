import fc from 'fast-check';
import { idsInText } from '../../protocol/ids.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import type { Store } from '../../server/platform/store/store.ts';
import { successOf, type Api } from '../../testing/world/api.ts';
import { card, CARDS, openCheckout } from '../kit/checkout.ts';
import type { RunningServer } from './running-server.ts';

const DAY_SECONDS = 86_400;

/** Something that a scenario begins with. Each has an amount of its own, by which its objects are told apart. */
type Arrangement =
  | {
      what: 'subscription';
      unit: 'Days' | 'Months';
      count: number;
      times: number;
      cardMonths: number;
      trialDays: number;
      pauseDays: number;
      ofBranch: boolean;
    }
  | { what: 'hold'; capturedPart: boolean; ofBranch: boolean }
  | { what: 'unpaid session' | 'challenged session' }
  | { what: 'sale'; refunded: boolean; disputed: boolean; ofBranch: boolean }
  | { what: 'transfer' | 'conversion' };

export interface ClockScenario {
  arrangements: Arrangement[];
  /** Statuses with which the webhook endpoint replies to the first attempts of each event; later ones are acknowledged. */
  firstReplies: number[];
  days: number;
  /** Lengths of the steps of a walk in random steps, which is cut or filled up to `days`. */
  steps: number[];
}

const subscriptions = fc.record({
  what: fc.constant('subscription' as const),
  unit: fc.constantFrom('Days' as const, 'Months' as const),
  count: fc.integer({ min: 1, max: 2 }),
  times: fc.integer({ min: 0, max: 8 }),
  cardMonths: fc.integer({ min: 0, max: 8 }),
  trialDays: fc.constantFrom(0, 0, 3, 14, 40),
  pauseDays: fc.constantFrom(0, 0, 10, 45),
  ofBranch: fc.boolean(),
});

const arrangement: fc.Arbitrary<Arrangement> = fc.oneof(
  {
    weight: 3,
    arbitrary: subscriptions.map((made) => ({ ...made, count: made.unit === 'Days' ? made.count * 7 : 1 })),
  },
  fc.record({ what: fc.constant('hold' as const), capturedPart: fc.boolean(), ofBranch: fc.boolean() }),
  fc.record({ what: fc.constantFrom('unpaid session' as const, 'challenged session' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('sale' as const),
      refunded: fc.boolean(),
      disputed: fc.boolean(),
      ofBranch: fc.boolean(),
    }),
  },
  fc.record({ what: fc.constantFrom('transfer' as const, 'conversion' as const) }),
);

export const clockScenarios: fc.Arbitrary<ClockScenario> = fc.record({
  arrangements: fc.array(arrangement, { minLength: 1, maxLength: 5 }),
  firstReplies: fc.array(fc.constantFrom(500, 302), { maxLength: 3 }),
  days: fc.integer({ min: 15, max: 150 }),
  steps: fc.array(fc.integer({ min: 1, max: 40 * DAY_SECONDS }), { minLength: 1, maxLength: 30 }),
});

/** The ways to advance the clock by the days of a scenario, as lengths of steps in seconds. */
export function walksOf({
  days,
  steps,
}: ClockScenario): Record<'one step' | 'daily steps' | 'random steps', number[]> {
  const total = days * DAY_SECONDS;
  const random: number[] = [];
  let left = total;
  for (const step of steps) {
    const length = Math.min(step, left);
    if (length > 0) random.push(length);
    left -= length;
  }
  return {
    'one step': [total],
    'daily steps': Array.from({ length: days }, () => DAY_SECONDS),
    'random steps': left > 0 ? [...random, left] : random,
  };
}

const BANK_ACCOUNT = {
  type: 'BankAccount',
  currency: 'GBP',
  country: 'GB',
  bankAccount: {
    accountNumberType: 'UnitedKingdom',
    accountNumber: '31926819',
    bankIdType: 'SortCode',
    bankId: '601613',
  },
};

/** Makes everything that a scenario begins with. */
export async function arrange(
  { api, branchId, receivers }: RunningServer,
  scenario: ClockScenario,
): Promise<void> {
  const receiver = receivers.open('shop');
  const attempts = new Map<string, number>();
  receiver.behaviour = ({ event }) => {
    const earlier = attempts.get(event.id) ?? 0;
    attempts.set(event.id, earlier + 1);
    return scenario.firstReplies[earlier] ?? 200;
  };
  const post = async (client: Api, path: string, body: object) =>
    successOf(await client.post(path, body), path);
  await post(api, '/v1/webhooks', { url: receiver.url, active: true, eventTypes: EVENT_TYPE_NAMES });
  await post(api, `/v1/accounts/${branchId}/payout-methods`, BANK_ACCOUNT);
  for (const [index, one] of scenario.arrangements.entries())
    await begin(one, { api, branch: api.as(branchId), branchId, amount: 10_000 + index * 1_111 });
}

interface Shop {
  api: Api;
  branch: Api;
  branchId: string;
  amount: number;
}

async function begin(one: Arrangement, { api, branch, branchId, amount }: Shop): Promise<void> {
  const client = 'ofBranch' in one && one.ofBranch ? branch : api;
  const shop = openCheckout(client);
  switch (one.what) {
    case 'subscription':
      return subscribe(client, one, amount);
    case 'hold': {
      const session = await shop.approved({ amount });
      if (one.capturedPart) await shop.move(session, 'captures', { amount: 900, captureType: 'NotFinal' });
      return;
    }
    case 'unpaid session':
      return void (await shop.session({ amount }));
    case 'challenged session':
      return void (await shop.pay(await shop.session({ amount }), CARDS.challenge));
    case 'sale': {
      const session = await shop.captured({ amount });
      if (one.refunded) await shop.move(session, 'refunds', { amount: 1_000 });
      if (one.disputed)
        successOf(await client.post(`/sandbox/payment-sessions/${session.id}/disputes`, {}), 'dispute');
      return;
    }
    case 'transfer': {
      const source = { accountId: branchId };
      return successOf(await api.post('/v1/transfers', { amount, currency: 'GBP', source }), 'transfer');
    }
    case 'conversion': {
      const sell = { amount: 500, currency: 'GBP' };
      await shop.captured({ amount });
      // Refused where the balance is not available yet.
      await client.post('/v1/conversions', { sell, buy: { currency: 'EUR' }, termAgreement: true });
    }
  }
}

async function subscribe(
  client: Api,
  { unit, count, times, cardMonths, trialDays, pauseDays }: Arrangement & { what: 'subscription' },
  amount: number,
): Promise<void> {
  const { body: customer } = await client.post('/v1/customers', { email: `shopper${amount}@example.com` });
  const startTimestamp = Math.floor(Date.UTC(2026, 0, 31, 9) / 1000);
  const interval = { unit, count, ...(times > 0 && { times }) };
  const subscription = successOf(
    await client.post('/v1/subscriptions', {
      customer: { id: customer.id },
      price: { amount, currency: 'GBP', interval },
      ...(trialDays > 0 && { billingCycleTimestamp: startTimestamp + trialDays * DAY_SECONDS }),
    }),
    'subscription',
  );
  const { clientSecret } = subscription.paymentSessions.initial;
  const expiry = new Date(Date.UTC(2026, cardMonths, 1));
  const expiryMonth = String(expiry.getUTCMonth() + 1).padStart(2, '0');
  const cardDetails = card(CARDS.plain, { expiryMonth, expiryYear: String(expiry.getUTCFullYear()) });
  successOf(
    await client.post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails }),
    'attempt',
  );
  if (pauseDays === 0) return;
  const resumeAtTimestamp = startTimestamp + pauseDays * DAY_SECONDS;
  await client.patch(`/v1/subscriptions/${subscription.id}/pause`, { reason: 'away', resumeAtTimestamp });
}

const TABLES = [
  'payment_sessions',
  'payment_transactions',
  'subscriptions',
  'subscription_sessions',
  'payouts',
  'disputes',
  'transfers',
  'conversions',
  'platform_fees',
  'postings',
  'balances',
  'balance_transactions',
  'events',
  'deliveries',
  'jobs',
];

// Which deliveries wait for each other depends on ids, and so does the row of a balance to which an amount is added: its
// balance transactions are compared. Ids are the same in each run on SQLite; PostgreSQL runs transactions at once.
const OF_IDS = new Set(['deliveries', 'balances']);

// Random, in the order of the ids, or measured in real time.
const NOT_COMPARED = /^(?:seq|\w+_seq|id|client_secret|authorization_code|claimed_\w+)$/;

/** Returns everything in the store that an advance of the clock can change, without ids, as sorted lines. */
export async function contentOf(store: Store): Promise<string[]> {
  const lines: string[] = [];
  const tables = TABLES.filter((table) => store.engine === 'sqlite' || !OF_IDS.has(table));
  for (const table of tables) {
    const rows = await store.all(`SELECT * FROM ${table}`);
    for (const row of rows) {
      const kept = Object.entries(row).filter(([name]) => !NOT_COMPARED.test(name));
      lines.push(`${table} ${withoutIds(JSON.stringify(Object.fromEntries(kept)))}`);
    }
  }
  return lines.sort();
}

function withoutIds(text: string): string {
  return text
    .replace(idsInText(), (id) => `${/^(?:[a-z]+_)?/.exec(id)![0]}…`)
    .replace(/(client_?[sS]ecret\\*":\\*"|Signature\\*":\\*")[^"\\]+/g, '$1…')
    .replace(/(elapsedMs\\*":)[\d.]+/g, '$1…');
}
