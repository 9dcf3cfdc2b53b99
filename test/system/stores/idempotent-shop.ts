import { expect } from 'vitest';
import { delay } from '../../../protocol/clock.ts';
import type { Answer, Json } from '../kit/http-call.ts';
import { orUndefined } from './kill-points.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime } from '../kit/wait-for.ts';

/** Between two attempts at a request. */
const RETRY_MS = 50;

const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** A shop that sends each request with an idempotency key until it has an answer. */
export interface IdempotentShop {
  /** Takes online payments one after another until `stop` is called; the one under way is taken to its end. */
  sell(): Promise<void>;
  stop(): void;
  /** Checks that each payment exists once and was captured once. */
  check(): Promise<void>;
  /** Attempts that were repeated, and answers that were given again. */
  readonly counts: { repeated: number; replayed: number };
}

/** @param servers on one store; each attempt goes to the next of them */
export function createIdempotentShop(servers: readonly Tapbench[], name: string): IdempotentShop {
  const taken: { id: string; amount: number }[] = [];
  const counts = { repeated: 0, replayed: 0 };
  let attempts = 0;
  let stopped = false;

  async function post(path: string, body: object, key: string): Promise<Json> {
    for (;;) {
      const server = servers[attempts++ % servers.length]!;
      const answer: Answer | undefined = await orUndefined(
        server.api('POST', path, body, { 'idempotency-key': key }),
      );
      if (answer?.headers['idempotent-replayed']) counts.replayed += 1;
      if (answer?.status === 200) return answer.body;
      if (answer && answer.status !== 409 && answer.status < 500) {
        throw new Error(`${key}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      counts.repeated += 1;
      await delay(realTime, RETRY_MS);
    }
  }

  return {
    counts,
    stop: () => void (stopped = true),
    async sell() {
      stopped = false;
      while (!stopped) {
        const key = `${name}-${taken.length}`;
        const amount = 1000 + taken.length;
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
      const sessions = (await listOf(server, '/v1/payment-sessions')).filter(
        ({ customerDetails, customerEmail }) =>
          String(customerEmail ?? customerDetails?.email).startsWith(`${name}-`),
      );
      expect(sessions.map(({ id }) => id).toSorted()).toEqual(taken.map(({ id }) => id).toSorted());
      for (const { id, amount } of taken) {
        const items = await listOf(server, `/v1/payment-sessions/${id}/transactions`);
        const captures = items.filter(({ type, status }) => type === 'Capture' && status === 'Succeeded');
        expect([id, captures.map((capture) => capture.amount)]).toEqual([id, [amount]]);
      }
    },
  };
}

async function listOf(server: Tapbench, path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let next = ''; ;) {
    const { body } = await server.api('GET', `${path}?limit=50${next}`);
    items.push(...body.items);
    if (!body.paginationToken) return items;
    next = `&startsAfter=${body.paginationToken}`;
  }
}
