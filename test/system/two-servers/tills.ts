import { expect } from 'vitest';
import { fraction, seededRandom, type Random } from '../../../protocol/ids.ts';
import type { Json } from '../kit/http-call.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import type { KeyedRequests } from '../stores/keyed-requests.ts';
import { CARD, type TwoServers } from './two-servers.ts';

/** Endings of amounts at which no card is presented, or the terminal gets no command: only a deadline ends the action. */
const UNTIL_DEADLINE = [920, 921];

/** Longer than any deadline of an action. */
const ACTION_MS = 300_000;

/** What servers have acknowledged. */
export interface Acknowledged {
  /** Movements of each payment session; several where it was left open which. */
  sessions: Map<string, string[][]>;
  /** Status of each action that has ended, and how long it took. */
  actions: Map<string, { status: string; error?: string; ms: number }>;
  /** Actions that have started and are not known to have ended. */
  inProgress: Set<string>;
  transfers: Map<string, { status: string; amount: number }>;
  payouts: Map<string, { amount: number }>;
  customers: Map<string, string>;
  /** Objects as they were shown last, by their paths. */
  shown: Map<string, Json>;
  /** Requests that the state of things refused. */
  refused: Map<string, number>;
}

export function nothingAcknowledged(): Acknowledged {
  return {
    sessions: new Map(),
    actions: new Map(),
    inProgress: new Set(),
    transfers: new Map(),
    payouts: new Map(),
    customers: new Map(),
    shown: new Map(),
    refused: new Map(),
  };
}

/** A till that does one thing after another until it is stopped. */
interface Till {
  /** Resolves once it was stopped and the last thing is done. */
  sell(): Promise<void>;
  stop(): void;
}

type Operation = (key: string, amount: number) => Promise<void>;

/** An even amount. Neither it nor its half lets an action wait for its deadline, so such a wait shows a lost message. */
function drawAmount(random: Random): number {
  const amount = 1000 + Math.floor(fraction(random) * 1000) * 2;
  const waits = [amount, amount / 2].some((each) => UNTIL_DEADLINE.includes(each % 1000));
  return waits ? drawAmount(random) : amount;
}

function createTill(name: string, operations: readonly Operation[]): Till {
  const random = seededRandom(name);
  let stopped = false;
  return {
    stop: () => void (stopped = true),
    async sell() {
      for (let count = 0; !stopped; count += 1) {
        const operation = operations[Math.floor(fraction(random) * operations.length)]!;
        await operation(`${name}-${count}`, drawAmount(random));
      }
    },
  };
}

/** Answers of requests that must not be refused. */
function accepted(requests: KeyedRequests) {
  return async (path: string, body: object, key: string): Promise<Json> => {
    const answer = await requests.post(path, body, key);
    expect([key, path, answer.body.errors]).toEqual([key, path, undefined]);
    expect([200, 202]).toContain(answer.status);
    return answer.body;
  };
}

const movement = (type: string, amount: number) => `${type} ${amount}`;

/** A till that takes payments and gives refunds at a terminal. */
export function terminalTill(
  terminalId: string,
  requests: KeyedRequests,
  { sessions, actions, inProgress, shown }: Acknowledged,
): Till {
  const post = accepted(requests);
  const path = `/v1/in-person/terminals/${terminalId}`;

  async function endOf(id: string, key: string): Promise<Json> {
    const beganMs = realTime.nowMs();
    inProgress.add(id);
    const action = await waitFor(
      `the action of ${key} to end`,
      async () => {
        const seen = (await requests.get(path)).body.action;
        expect([key, seen.id]).toEqual([key, id]);
        return seen.status === 'InProgress' ? undefined : seen;
      },
      ACTION_MS,
    );
    const { status, error } = action;
    inProgress.delete(id);
    actions.set(id, { status, error: error?.code, ms: realTime.nowMs() - beganMs });
    return action;
  }

  async function keep(sessionId: string, movements: string[][]): Promise<void> {
    sessions.set(sessionId, movements);
    const session = `/v1/payment-sessions/${sessionId}`;
    shown.set(session, (await requests.get(session)).body);
  }

  return createTill(terminalId, [
    async (key, amount) => {
      const metadata = { order: key };
      const payment = { amounts: { requested: amount }, currency: 'GBP', paymentSession: { metadata } };
      const { action } = await post(`${path}/payment`, payment, key);
      const sessionId: string = action.transaction.paymentSessionId;
      const { status } = await endOf(action.id, key);
      const authorization = movement('Authorization', amount);
      if (status !== 'Succeeded') return keep(sessionId, [[], [authorization, movement('Void', amount)]]);
      const paid = [authorization, movement('Capture', amount)];
      await keep(sessionId, [paid]);
      if (amount % 3 !== 0) return;
      const refund = { paymentSession: { id: sessionId }, amount: amount / 2 };
      const refunding = (await post(`${path}/refund`, refund, `${key}-refund`)).action;
      const { status: refunded } = await endOf(refunding.id, `${key}-refund`);
      await keep(sessionId, [refunded === 'Succeeded' ? [...paid, movement('Refund', amount / 2)] : paid]);
    },
  ]);
}

/** A till that takes payments online, captures, voids and refunds them, and moves money of the platform. */
export function onlineTill(
  name: string,
  requests: KeyedRequests,
  { sessions, transfers, payouts, customers, shown, refused }: Acknowledged,
  { payee }: TwoServers,
): Till {
  const post = accepted(requests);

  async function approved(key: string, terms: { amount: number; captureFlow?: string }): Promise<Json> {
    const customerEmail = `${key}@payer.example`;
    const body = { ...terms, currency: 'GBP', customerEmail, metadata: { order: key } };
    const { id, clientSecret } = await post('/v1/payment-sessions', body, `${key}-create`);
    const attempt = { clientSecret, cardDetails: CARD };
    const paid = await post('/v1/payment-sessions/attempt-payment', attempt, `${key}-pay`);
    expect([key, paid.id]).toEqual([key, id]);
    return paid;
  }

  /** Changes a payment by requests after each other, and keeps what it is then. */
  async function change(session: Json, key: string, moves: readonly [what: string, amount: number][]) {
    const path = `/v1/payment-sessions/${session.id}`;
    const made = [movement('Authorization', session.amount)];
    if (session.status === 'Captured') made.push(movement('Capture', session.amount));
    for (const [index, [what, amount]] of moves.entries()) {
      const body =
        what === 'voids' ? {} : { amount, ...(what === 'captures' && { captureType: 'NotFinal' }) };
      await post(`${path}/${what}`, body, `${key}-${index}`);
      const type = { captures: 'Capture', voids: 'Void', refunds: 'Refund' }[what]!;
      made.push(movement(type, amount));
    }
    sessions.set(session.id, [made]);
    shown.set(path, (await requests.get(path)).body);
  }

  return createTill(name, [
    async (key, amount) => {
      const session = await approved(key, { amount });
      await change(session, key, [
        ['refunds', amount / 2],
        ['refunds', amount / 2 - 1],
      ]);
    },
    async (key, amount) => {
      const session = await approved(key, { amount, captureFlow: 'Manual' });
      await change(session, key, [
        ['captures', amount / 2],
        ['captures', amount / 2 - 1],
      ]);
    },
    async (key, amount) => {
      const session = await approved(key, { amount, captureFlow: 'Manual' });
      await change(session, key, [['voids', amount]]);
    },
    async (key, amount) => {
      const destination = { accountId: payee.accountId };
      const transfer = await post('/v1/transfers', { amount, currency: 'GBP', destination }, key);
      transfers.set(transfer.id, { status: transfer.status, amount });
      shown.set(`/v1/transfers/${transfer.id}`, transfer);
    },
    async (key, amount) => {
      const path = `/v1/accounts/${payee.accountId}/payouts`;
      const body = { amount, currency: 'GBP', payoutMethodId: payee.payoutMethodId };
      const answer = await requests.post(path, body, key);
      if (answer.status === 400) {
        refused.set('payout', (refused.get('payout') ?? 0) + 1);
        return expect(answer.body.errors[0].message).toMatch(/balance is too low/);
      }
      expect([key, answer.status]).toEqual([key, 200]);
      payouts.set(answer.body.id, { amount });
    },
    async (key) => {
      const email = `${key}@corner.example`;
      const customer = await post('/v1/customers', { email }, key);
      customers.set(customer.id, email);
      shown.set(`/v1/customers/${customer.id}`, customer);
    },
  ]);
}
