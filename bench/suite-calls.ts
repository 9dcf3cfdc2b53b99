import { ALL_EVENTS } from '../cli/server/seed.ts';
import type { Pace } from '../protocol/clock.ts';
import { openHttp, requestText, succeeded } from './http-connection.ts';
import { msSince } from './measure.ts';
import type { WebhookSink } from './webhook-sink.ts';

/** Type of the event that ends a payment. */
export const CAPTURED = 'PaymentSession.captured';

interface CreatedSandbox {
  name: string;
  secretKey: string;
  terminals: { id: string }[];
}

/** The calls of one test, over a connection of its own. */
export interface SuiteCalls {
  create(options?: { name?: string; from?: string }): Promise<CreatedSandbox>;
  addWebhook(sandbox: CreatedSandbox): Promise<void>;
  /** Lets the cardholder present a card at once; at an instant pace they do so anyway. */
  hurryCardholder(sandbox: CreatedSandbox): Promise<void>;
  /** Takes an in-person payment in a sandbox that has a webhook, from POST to captured. */
  pay(sandbox: CreatedSandbox): Promise<void>;
  /** Reads an empty list. Returns how long that took, milliseconds. */
  read(sandbox: CreatedSandbox): Promise<number>;
  remove(sandbox: Pick<CreatedSandbox, 'name'>): Promise<void>;
  close(): void;
}

/** @param pace of each sandbox that is created */
export async function openSuiteCalls(
  server: { url: string; secretKey: string },
  sink: WebhookSink,
  pace: Pace,
): Promise<SuiteCalls> {
  const connection = await openHttp(server.url);
  const ask = async <T>(key: string, method: string, path: string, body?: object): Promise<T> =>
    JSON.parse(succeeded(await connection.ask(requestText(method, path, key, body)))) as T;
  return {
    create: (options) => ask(server.secretKey, 'POST', '/sandboxes', { pace, ...options }),
    async addWebhook({ secretKey }) {
      await ask(secretKey, 'POST', '/v1/webhooks', { url: sink.url, active: true, eventTypes: ALL_EVENTS });
    },
    async hurryCardholder({ secretKey, terminals: [terminal] }) {
      if (pace === 'instant') return;
      const cardholder = { script: 'tap', delayMs: 0 };
      await ask(secretKey, 'POST', `/sandbox/terminals/${terminal!.id}/cardholder`, cardholder);
    },
    async pay({ name, secretKey, terminals: [terminal] }) {
      const captured = sink.next(
        ({ body, header }) =>
          header('tapbench-sandbox') === name && body.includes(`"eventType":"${CAPTURED}"`),
      );
      const amounts = { requested: 1742 };
      await ask(secretKey, 'POST', `/v1/in-person/terminals/${terminal!.id}/payment`, {
        amounts,
        currency: 'GBP',
      });
      await captured;
    },
    async read({ secretKey }) {
      const startNs = process.hrtime.bigint();
      await ask(secretKey, 'GET', '/v1/customers');
      return msSince(startNs);
    },
    async remove({ name }) {
      await ask(server.secretKey, 'DELETE', `/sandboxes/${name}`);
    },
    close: () => connection.close(),
  };
}
