import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { listAll } from '../kit/list-all.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createKeyedRequests } from './keyed-requests.ts';

const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** A shop that sends each request with an idempotency key until it has an answer. */
export interface IdempotentShop {
  /** Takes online payments one after another until `stop` is called; the one under way is taken to its end. */
  sell(): Promise<void>;
  stop(): void;
  /** Checks that each payment exists once and was captured once. */
  check(): Promise<void>;
  /** Attempts that were made again. */
  repeated(): number;
}

/** @param servers on one store; each attempt goes to the next of them */
export function createIdempotentShop(servers: readonly Tapbench[], name: string): IdempotentShop {
  const taken: { id: string; amount: number }[] = [];
  const requests = createKeyedRequests(servers);
  let stopped = false;

  async function post(path: string, body: object, key: string): Promise<Json> {
    const answer = await requests.post(path, body, key);
    expect([key, answer.status, answer.body.errors]).toEqual([key, 200, undefined]);
    return answer.body;
  }

  return {
    repeated: requests.repeated,
    stop: () => void (stopped = true),
    async sell() {
      stopped = false;
      while (!stopped) {
        const key = `${name}-${taken.length}`;
        // Amounts that end in 901 and above are declined.
        const amount = 1000 + (taken.length % 900);
        const input = { amount, currency: 'GBP', customerEmail: `${key}@example.com` };
        const { id, clientSecret } = await post('/v1/payment-sessions', input, `${key}-create`);
        const attempt = { clientSecret, cardDetails: CARD };
        const paid = await post('/v1/payment-sessions/attempt-payment', attempt, `${key}-pay`);
        expect([key, paid.id, paid.status]).toEqual([key, id, 'Captured']);
        taken.push({ id, amount });
      }
    },
    async check() {
      const server = servers[0]!;
      const sessions = (await listAll(server, '/v1/payment-sessions')).filter(
        ({ customerDetails, customerEmail }) =>
          String(customerEmail ?? customerDetails?.email).startsWith(`${name}-`),
      );
      expect(sessions.map(({ id }) => id).toSorted()).toEqual(taken.map(({ id }) => id).toSorted());
      for (const { id, amount } of taken) {
        const items = await listAll(server, `/v1/payment-sessions/${id}/transactions`);
        const captures = items.filter(({ type, status }) => type === 'Capture' && status === 'Succeeded');
        expect([id, captures.map((capture) => capture.amount)]).toEqual([id, [amount]]);
      }
    },
  };
}
