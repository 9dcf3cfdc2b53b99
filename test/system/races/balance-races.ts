import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { race, type Race, type Raced, type RacedRequest } from './race.ts';
import type { RacingShop } from './racing-shop.ts';
import { replay, type Rules } from './rules.ts';

interface Take {
  what: 'payout' | 'transfer' | 'conversion';
  amount: number;
}

interface TakingCall extends RacedRequest {
  wants: Take;
}

/** What the account has when a race begins. It suffices for some of the requests. */
const AVAILABLE = 20_000;

/** An available balance by docs/choices/money.md: each takes what it asks for, or nothing. */
const balanceRules: Rules<number, Take> = (available, { what, amount }) => {
  if (amount <= available) return { after: available - amount };
  const pounds = `${(available / 100).toFixed(2)} GBP`;
  switch (what) {
    case 'payout':
    case 'conversion':
      return { refused: `400 the balance is too low: ${pounds} is available` };
    case 'transfer':
      return { refused: `Declined: ${pounds} is available at the source` };
  }
};

/** Moves money between the platform and the sub account until this much is available to the sub account. */
export async function setAvailable(shop: RacingShop, minor: number): Promise<void> {
  const { available } = await shop.balance(shop.subAccountId);
  const missing = minor - available;
  if (missing === 0) return;
  const side = missing > 0 ? 'destination' : 'source';
  const body = { amount: Math.abs(missing), currency: 'GBP', [side]: { accountId: shop.subAccountId } };
  const { status } = await shop.good('POST', '/v1/transfers', body);
  expect(status).toBe('Completed');
}

export function callOf(shop: RacingShop, wants: Take, payoutMethodId: string): TakingCall {
  const { what, amount } = wants;
  const method = 'POST' as const;
  switch (what) {
    case 'payout': {
      const body = { amount, currency: 'GBP', payoutMethodId };
      return { method, path: `/v1/accounts/${shop.subAccountId}/payouts`, body, wants };
    }
    case 'transfer': {
      const body = { amount, currency: 'GBP', source: { accountId: shop.subAccountId } };
      return { method, path: '/v1/transfers', body, wants };
    }
    case 'conversion': {
      const body = { sell: { amount, currency: 'GBP' }, buy: { currency: 'EUR' }, termAgreement: true };
      return { method, path: '/v1/conversions', body, headers: { account: shop.subAccountId }, wants };
    }
  }
}

const amountOf = (nth: number) => 300 + 100 * ((nth * 7) % 17);

function balanceRace(name: string, kinds: readonly Take['what'][]): Race {
  return race<TakingCall>(name, async (shop, count) => {
    const payoutMethodId = await shop.payoutMethod();
    await setAvailable(shop, AVAILABLE);
    const known = (await shop.all('/v1/balance-transactions', shop.subAccountId)).length;
    const requests = Array.from({ length: count }, (_, nth) =>
      callOf(shop, { what: kinds[nth % kinds.length]!, amount: amountOf(nth) }, payoutMethodId),
    );
    return { requests, check: (raced) => checkBalance(shop, known, raced) };
  });
}

async function checkBalance(
  shop: RacingShop,
  known: number,
  raced: readonly Raced<TakingCall>[],
): Promise<void> {
  const made = (await shop.all('/v1/balance-transactions', shop.subAccountId)).slice(known);
  const makers = raced.filter((each) => refusalOf(each) === undefined);
  // Those of a payout that carries an excess over are two that cancel each other out, and the payout.
  const taken = [...new Set(made.map(({ origin }) => origin.id as string))].map((id) => {
    const lines = made.filter(({ origin }) => origin.id === id);
    const net = lines.reduce((sum, line) => sum + line.net, 0);
    const maker = makers.find(({ body }) => body.id === id);
    expect(maker?.request.wants.amount).toBe(-net);
    return maker!.request.wants;
  });
  expect(taken).toHaveLength(makers.length);
  const refused = raced.flatMap((each) => {
    const refusal = refusalOf(each);
    return refusal === undefined ? [] : [{ request: each.request.wants, refusal }];
  });
  const { end, wrong } = replay(balanceRules, AVAILABLE, taken, refused);
  expect(wrong).toEqual([]);
  expect(end).toBeGreaterThanOrEqual(0);
  expect((await shop.balance(shop.subAccountId)).available).toBe(end);
  await checkEvents(shop, raced);
}

const CREATED = { payout: 'Payout.created', transfer: 'Transfer.created', conversion: 'Conversion.created' };

/** Each object that was made has one event of its creation, and a transfer that was declined one more. */
async function checkEvents(shop: RacingShop, raced: readonly Raced<TakingCall>[]): Promise<void> {
  const objects = raced.filter(({ status }) => status === 200);
  const ids = new Set(objects.map(({ body }) => body.id as string));
  const isAbout = (data: Json) => ids.has(data.id);
  const events = [
    ...(await shop.eventsOf(isAbout)),
    ...(await shop.eventsOf(isAbout, shop.subAccountId)),
  ].filter(({ type }) => type.endsWith('.created'));
  const raised = events.map(({ type, data }) => `${type} ${data.id}`).toSorted();
  const expected = objects.map(({ request: { wants }, body }) => `${CREATED[wants.what]} ${body.id}`);
  expect(raised).toEqual(expected.toSorted());
}

/** Returns the refusal, or why a transfer was declined. */
function refusalOf({ refusal, body }: Raced<TakingCall>): string | undefined {
  if (refusal !== undefined || body.status !== 'Declined') return refusal;
  return `Declined: ${body.errors[0].description}`;
}

export const BALANCE_RACES: readonly Race[] = [
  balanceRace('payouts from one balance', ['payout']),
  balanceRace('payouts, transfers and conversions from one balance', ['payout', 'transfer', 'conversion']),
];
