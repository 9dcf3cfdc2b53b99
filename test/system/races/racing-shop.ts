import { expect } from 'vitest';
import { seededRandom, type Random } from '../../../protocol/ids.ts';
import type { Queries } from '../../../server/platform/store/store.ts';
import { prepareBalances } from './prepare-balances.ts';
import { refusalOf } from './race.ts';
import type { Answer, Json } from '../kit/http-call.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import type { RacingServers } from './racing-servers.ts';

export const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', cvc: '123' };

/** A shop at servers whose requests race each other: it prepares objects, and reads what is there afterwards. */
export interface RacingShop extends Pick<RacingServers, 'servers' | 'database'> {
  random: Random;
  /** The platform account, and a sub account of it with manual payouts. */
  platformId: string;
  subAccountId: string;
  terminals: readonly string[];
  locationId: string;
  /** Calls one of the servers, each in turn. */
  call(method: string, path: string, body?: object, account?: string): Promise<Answer>;
  /** The same for a call that must succeed; returns the body of the reply. */
  good(method: string, path: string, body?: object, account?: string): Promise<Json>;
  /** Returns all items of a list, the oldest first. */
  all(path: string, account?: string): Promise<Json[]>;
  /** Creates a payment session, and pays it unless it is to stay unpaid. */
  session(terms: object, account?: string): Promise<Json>;
  paid(terms: object, account?: string, attempt?: object): Promise<Json>;
  /** Returns the events about an object since the last round was checked, the oldest first, each as its type. */
  eventsOf(isAbout: (data: Json) => boolean, account?: string): Promise<{ type: string; data: Json }[]>;
  /** Returns what an account has in GBP by the API: altogether, and available. */
  balance(accountId: string): Promise<{ total: number; available: number }>;
  /** Checks the ledger of the database, and that balances are the same by SQL and by the API. */
  checkLedger(): Promise<void>;
  /** A number that no other call returns. */
  next(): number;
  /** Moves the time of the sandbox on. */
  advance(seconds: number): Promise<void>;
  /** Returns a payout method of the sub account, whose payouts are manual. The platform then has money that is available. */
  payoutMethod(): Promise<string>;
}

export function openRacingShop({ servers, database }: RacingServers, seed: string): RacingShop {
  const [first] = servers as [Tapbench];
  let calls = 0;
  let numbers = 0;
  let payoutMethod: Promise<string> | undefined;
  const seen = new Map<string, string>();

  const shop: RacingShop = {
    servers,
    ...(database && { database }),
    random: seededRandom(seed),
    platformId: first.accountId,
    subAccountId: first.subAccountId,
    terminals: first.terminals.map(({ id }) => id),
    locationId: first.locationId,
    next: () => (numbers += 1),
    payoutMethod: () => (payoutMethod ??= prepareBalances(shop)),
    async advance(seconds) {
      await shop.good('POST', '/sandbox/clock/advance', { seconds });
    },
    call: (method, path, body, account) =>
      servers[calls++ % servers.length]!.api(method, path, body, account ? { account } : {}),
    async good(method, path, body, account) {
      const answer = await shop.call(method, path, body, account);
      const refusal = refusalOf(answer);
      if (refusal !== undefined) throw new Error(`${method} ${path}: ${refusal}`);
      return answer.body;
    },
    async all(path, account) {
      const items: Json[] = [];
      for (let next = ''; ;) {
        const page = await shop.good('GET', `${path}?ascending=true&limit=50${next}`, undefined, account);
        items.push(...page.items);
        if (!page.paginationToken) return items;
        next = `&startsAfter=${page.paginationToken}`;
      }
    },
    session: (terms, account) =>
      shop.good(
        'POST',
        '/v1/payment-sessions',
        { currency: 'GBP', customerEmail: 'ana@corner.example', ...terms },
        account,
      ),
    async paid(terms, account, attempt) {
      const { clientSecret } = await shop.session(terms, account);
      const body = { clientSecret, cardDetails: CARD, ...attempt };
      return shop.good('POST', '/v1/payment-sessions/attempt-payment', body, account);
    },
    async eventsOf(isAbout, account = shop.platformId) {
      const events = await newEvents(shop, account, seen);
      return events
        .filter(({ data }) => isAbout(data))
        .map(({ eventType, data }) => ({ type: eventType as string, data }));
    },
    async balance(accountId) {
      const account = accountId === shop.platformId ? undefined : accountId;
      const { items } = await shop.good('GET', '/v1/balances?currency=GBP', undefined, account);
      const { pending, cleared, available } = items[0];
      return { total: pending.amount + cleared.amount + available.amount, available: available.amount };
    },
    async checkLedger() {
      if (!database) return;
      expect(await ledgerProblems(database)).toEqual([]);
      for (const id of [shop.platformId, shop.subAccountId])
        expect((await shop.balance(id)).total).toBe(await postedTo(database, id));
    },
  };
  return shop;
}

/** Reads the events of an account that are newer than the newest one of the last call. */
async function newEvents(shop: RacingShop, account: string, seen: Map<string, string>): Promise<Json[]> {
  const newest = seen.get(account);
  const header = account === shop.platformId ? undefined : account;
  const events: Json[] = [];
  for (let next = ''; ;) {
    const page = await shop.good('GET', `/v1/events?limit=50${next}`, undefined, header);
    const known = page.items.findIndex(({ id }: { id: string }) => id === newest);
    events.push(...(known < 0 ? page.items : page.items.slice(0, known)));
    if (known >= 0 || !page.paginationToken) break;
    next = `&startsAfter=${page.paginationToken}`;
  }
  if (events.length > 0) seen.set(account, events[0].id);
  return events.toReversed();
}

/** Returns what is wrong in a ledger: entries that do not sum to zero, balances that are not what was posted. */
export async function ledgerProblems(queries: Queries): Promise<string[]> {
  const entries = await queries.all(
    `SELECT entry_id, currency, SUM(amount_minor) AS minor FROM postings
     GROUP BY entry_id, currency HAVING SUM(amount_minor) <> 0`,
  );
  const balances = await queries.all(
    `SELECT posted.holder, posted.currency, posted.minor, held.minor AS held FROM
       (SELECT holder, currency, SUM(amount_minor) AS minor FROM postings
        WHERE holder NOT LIKE 'outside:%' GROUP BY holder, currency) AS posted
     LEFT JOIN (SELECT account_id, currency, SUM(amount_minor) AS minor FROM balances
        GROUP BY account_id, currency) AS held
       ON held.account_id = posted.holder AND held.currency = posted.currency
     WHERE held.minor IS NULL OR held.minor <> posted.minor`,
  );
  return [...entries, ...balances].map((row) => JSON.stringify(row));
}

async function postedTo(queries: Queries, accountId: string): Promise<number> {
  const row = await queries.get<{ minor: number | null }>(
    `SELECT SUM(amount_minor) AS minor FROM postings WHERE holder = ? AND currency = 'GBP'`,
    accountId,
  );
  return row?.minor ?? 0;
}
