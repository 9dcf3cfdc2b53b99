import { startChild } from './child.ts';
import { openHttp, requestText, succeeded } from './http-connection.ts';
import { median, timeEach } from './measure.ts';
import type { WebhookSink } from './webhook-sink.ts';

/**
 * The sequential steps between the POST of a payment and its webhook, when the terminal prints:
 *
 * - the POST, answered when the action is on disk;
 * - `action.start` down, `action.authorise` up, `action.decision` down, `action.completed` up: four messages, two
 *   round trips;
 * - on disk before the next thing happens: accepted, authorised, receipt, completed, for reports of a terminal are
 *   taken one by one; then what became of the first of two webhooks;
 * - `Terminal.action_updated` to the webhook, and when that is answered `PaymentSession.captured`, for events of one
 *   terminal are delivered in order.
 */
const ON_THE_PATH = { posts: 1, roundTrips: 2, commits: 5, webhooks: 2 };

/** Medians, milliseconds. */
export interface PartTimes {
  post: number;
  roundTrip: number;
  append: number;
  webhook: number;
}

interface PaymentParts {
  /** Measures each part `count` times. */
  measure(count: number): Promise<PartTimes>;
  close(): Promise<void>;
}

/** Starts the baseline of each part, without our code. The sink also receives our webhooks. */
export async function startPaymentParts(folder: string, sink: WebhookSink): Promise<PaymentParts> {
  const http = startChild('bare-http');
  const parts = startChild('bare-parts');
  try {
    const { url } = await http.ask<{ url: string }>('start', { path: `${folder}/bare-http.log` });
    await parts.ask('start', { path: `${folder}/bare-append.log`, webhookUrl: sink.url });
    const connection = await openHttp(url);
    const request = requestText('POST', '/v1/payment', 'sk_sandbox_bare', {
      amounts: { requested: 1742 },
      currency: 'GBP',
    });
    const post = async () => void succeeded(await connection.ask(request));
    return {
      measure: async (count) => ({
        post: median(await timeEach(count, post)),
        roundTrip: median(await parts.ask('roundTrips', { count })),
        append: median(await parts.ask('appends', { count })),
        webhook: median(await webhookTimes(sink, count, () => parts.ask('webhook'))),
      }),
      async close() {
        connection.close();
        await Promise.all([http.stop(), parts.stop()]);
      },
    };
  } catch (error) {
    await Promise.all([http.stop(), parts.stop()]);
    throw error;
  }
}

/** Measures from the start of the sender's POST to its arrival; process.hrtime is shared by all processes. */
async function webhookTimes(sink: WebhookSink, count: number, send: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const arrived = sink.next(({ header }) => header('x-started-ns') !== undefined);
    await send();
    const { atNs, header } = await arrived;
    times.push(Number(atNs - BigInt(header('x-started-ns')!)) / 1e6);
  }
  return times;
}

export function sumOf(times: PartTimes): number {
  const { posts, roundTrips, commits, webhooks } = ON_THE_PATH;
  return (
    posts * times.post + roundTrips * times.roundTrip + commits * times.append + webhooks * times.webhook
  );
}

export function describeParts(times: PartTimes): string {
  const { roundTrips, commits, webhooks } = ON_THE_PATH;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    `durable POST ${ms(times.post)}`,
    `${roundTrips} QoS 1 round trips of ${ms(times.roundTrip)}`,
    `${commits} durable appends of ${ms(times.append)}`,
    `${webhooks} signed webhooks of ${ms(times.webhook)}`,
  ].join(', ');
}
