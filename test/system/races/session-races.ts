import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { race, type Race, type Raced, type RacedRequest } from './race.ts';
import type { RacingShop } from './racing-shop.ts';
import { replay } from './rules.ts';
import { sessionRules, type SessionRequest, type SessionState } from './session-rules.ts';

interface SessionCall extends RacedRequest {
  wants: SessionRequest;
}

/** Amounts are multiples of this, of which 1.4 % is a whole number. */
const UNIT = 500;

const MOVEMENTS = { Capture: 'capture', Void: 'void', Refund: 'refund', Chargeback: 'dispute' } as const;
const EVENTS: Record<string, string> = {
  Authorization: 'PaymentSession.approved',
  Capture: 'PaymentSession.captured',
  Void: 'PaymentSession.voided',
  Refund: 'PaymentSession.refunded',
  Chargeback: 'Dispute.created',
};

const PATHS: Record<SessionRequest['what'], (id: string) => string> = {
  capture: (id) => `/v1/payment-sessions/${id}/captures`,
  void: (id) => `/v1/payment-sessions/${id}/voids`,
  refund: (id) => `/v1/payment-sessions/${id}/refunds`,
  dispute: (id) => `/sandbox/payment-sessions/${id}/disputes`,
};

/** A race of requests about one payment session. `wants` returns the nth request. */
function sessionRace(
  name: string,
  captureFlow: 'Manual' | 'Automatic',
  wants: (nth: number, count: number) => SessionRequest,
): Race {
  return race<SessionCall>(name, async (shop, count) => {
    const amount = 20 * UNIT;
    const session = await shop.paid({ amount, captureFlow });
    const before = (await shop.balance(shop.platformId)).total;
    const requests = Array.from({ length: count }, (_, nth) => {
      const wanted = wants(nth, count);
      const { what, ...body } = wanted;
      return { method: 'POST' as const, path: PATHS[what](session.id), body, wants: wanted };
    });
    const captured = captureFlow === 'Automatic' ? amount : 0;
    const start: SessionState = { status: session.status, amount, captured, refunded: 0, disputed: 0 };
    return { requests, check: (raced) => checkSession(shop, { session, start, before }, raced) };
  });
}

async function checkSession(
  shop: RacingShop,
  { session: { id }, start, before }: { session: Json; start: SessionState; before: number },
  raced: readonly Raced<SessionCall>[],
): Promise<void> {
  const movements = await shop.all(`/v1/payment-sessions/${id}/transactions`);
  // Those of the payment before the race.
  const made = start.status === 'Captured' ? movements.slice(2) : movements.slice(1);
  const done = made.map((movement) => requestOf(movement, raced));
  const successes = raced.filter(({ refusal }) => refusal === undefined);
  expect(done).toHaveLength(successes.length);
  const refused = raced
    .filter(({ refusal }) => refusal !== undefined)
    .map(({ request: { wants: request }, refusal }) => ({ request, refusal: refusal! }));
  const { end, wrong } = replay(sessionRules, start, done, refused);
  expect(wrong).toEqual([]);

  const session = await shop.good('GET', `/v1/payment-sessions/${id}`);
  expect([session.status, session.refundedAmount]).toEqual([end.status, end.refunded]);
  if (shop.database) {
    const sql = 'SELECT status, captured_minor, refunded_minor FROM payment_sessions WHERE id = ?';
    const row = { status: end.status, captured_minor: end.captured, refunded_minor: end.refunded };
    expect(await shop.database.get(sql, id)).toEqual(row);
  }
  const fees = made.filter(({ type }) => type === 'Capture').map(({ amount }) => feeOf(amount));
  const moved = end.captured - start.captured - sum(fees) - end.refunded - end.disputed;
  expect((await shop.balance(shop.platformId)).total - before).toBe(moved);
  const events = await shop.eventsOf((data) => data.id === id || data.paymentSession?.id === id);
  const expected = movements.map(({ type }) => EVENTS[type]);
  expect(events.map(({ type }) => type)).toEqual(expected);
}

/** Returns the request that made a movement, by the id in its reply: what it wanted, with the amount that it moved. */
function requestOf(movement: Json, raced: readonly Raced<SessionCall>[]): SessionRequest {
  const what = MOVEMENTS[movement.type as keyof typeof MOVEMENTS];
  const makers = raced.filter(({ request, status, body }) =>
    what === 'dispute'
      ? request.wants.what === 'dispute' && status === 200
      : body.id === movement.id && request.wants.what === what,
  );
  expect(makers.map(({ body }) => body.amount)).toEqual([movement.amount]);
  const { wants } = makers[0]!.request;
  return wants.what === 'void' ? wants : { ...wants, amount: movement.amount };
}

/** The processing fee of a capture by docs/choices/money.md: 1.4 % and 20 minor units. */
function feeOf(amount: number): number {
  return (amount * 14) / 1000 + 20;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

const part = (nth: number) => UNIT * (1 + (nth % 3));

export const SESSION_RACES: readonly Race[] = [
  sessionRace('captures of the whole amount of one session', 'Manual', () => ({ what: 'capture' })),
  sessionRace('captures of parts of one session', 'Manual', (nth) => ({
    what: 'capture',
    amount: part(nth),
    captureType: nth % 10 === 9 ? 'Final' : 'NotFinal',
  })),
  sessionRace('voids of one session', 'Manual', () => ({ what: 'void' })),
  sessionRace('captures against voids of one session', 'Manual', (nth) =>
    nth % 2 === 0 ? { what: 'void' } : { what: 'capture', amount: part(nth), captureType: 'NotFinal' },
  ),
  sessionRace('refunds whose sum exceeds what was captured', 'Automatic', (nth) => ({
    what: 'refund',
    ...(nth % 25 !== 0 && { amount: part(nth) }),
  })),
  sessionRace('disputes against refunds of one session', 'Automatic', (nth) =>
    nth % 3 === 0
      ? { what: 'dispute', amount: 4 * UNIT * (1 + (nth % 4)) }
      : { what: 'refund', amount: part(nth) },
  ),
];
