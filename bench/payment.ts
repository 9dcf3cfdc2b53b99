import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_EVENTS } from '../cli/server/seed.ts';
import { verifySignature } from '../server/platform/outbox/signature.ts';
import type { BenchOptions, Result } from './report.ts';
import { startChild, type Child, type ChildOptions } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import {
  alternate,
  median,
  medianBefore,
  pauseMs,
  percentile,
  spreadOf,
  type Round,
  timeEach,
} from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

const AIM_MS = 10;

// Lets the last deliveries of a payment be stored before the next one starts.
const REST_MS = 5;

/** Measures from the POST of a payment on a simulated terminal to the webhook of its capture. */
export async function benchPayment({ quick, profileDir, compare }: BenchOptions): Promise<Result[]> {
  const [rounds, payments, warmUp] = quick ? [3, 60, 300] : [7, 150, 1_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const parts = await startPaymentParts(folder, sink);
  const tills: Till[] = [];
  const openTill = async (options: ChildOptions, name: string) => {
    const till = await startTill(startChild('our-server', options), join(folder, name), sink);
    tills.push(till);
    return till;
  };
  try {
    const till = await openTill({ profileDir }, 'ours');
    const before = compare === undefined ? undefined : await openTill({ checkout: compare }, 'before');
    // Until then V8 compiles more than it runs, on both sides.
    await parts.measure(warmUp);
    await till.payments(warmUp);
    await before?.payments(warmUp);
    const taken = await alternate(
      rounds,
      () => parts.measure(payments),
      () => till.payments(payments),
      before === undefined ? undefined : () => before.payments(payments),
    );
    const what = `${taken.length} rounds of ${payments} payments, one at a time`;
    return [
      resultOf(taken, `${what}, after ${warmUp.toLocaleString('en-GB')} of ours and of each bare part`),
    ];
  } finally {
    await Promise.all([...tills, parts].map((opened) => opened.close()));
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(taken: Round<PartTimes, number[]>[], what: string): Result {
  const all = taken.flatMap(({ ours }) => ours);
  const times = {
    post: median(taken.map(({ bare }) => bare.post)),
    roundTrip: median(taken.map(({ bare }) => bare.roundTrip)),
    append: median(taken.map(({ bare }) => bare.append)),
    webhook: median(taken.map(({ bare }) => bare.webhook)),
  };
  const ours = median(all);
  return {
    name: 'payment: POST to captured webhook',
    unit: 'ms',
    ours,
    bare: median(taken.map(({ bare }) => sumOf(bare))),
    before: medianBefore(taken, median),
    ratio: spreadOf(taken.map((round) => median(round.ours) / sumOf(round.bare))),
    aim: `under ${AIM_MS} ms`,
    met: ours < AIM_MS,
    details: [
      `${what}; p99 ${percentile(all, 0.99).toFixed(2)} ms; the webhook hears every event`,
      `bare, the sum of: ${describeParts(times)}`,
    ],
  };
}

interface Till {
  /** Takes payments in sequence. Returns the durations, milliseconds. */
  payments(count: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Starts a server with one terminal, and a webhook for all of its events. */
async function startTill(child: Child, dataDir: string, sink: WebhookSink): Promise<Till> {
  const order = { dataDir, withTerminal: true };
  const { url, secretKey, terminalId } = await child.ask<OurServer>('start', order);
  const connection = await openHttp(url);
  const webhook = requestText('POST', '/v1/webhooks', secretKey, {
    url: sink.url,
    active: true,
    eventTypes: ALL_EVENTS,
  });
  const { secret } = JSON.parse(succeeded(await connection.ask(webhook))) as { secret: string };
  const payment = requestText('POST', `/v1/in-person/terminals/${terminalId}/payment`, secretKey, {
    amounts: { requested: 1742 },
    currency: 'GBP',
  });
  return {
    async payments(count) {
      const times: number[] = [];
      for (let index = 0; index < count; index += 1) {
        times.push(await takePayment({ connection, payment, sink, secret }));
        await pauseMs(REST_MS);
      }
      return times;
    },
    async close() {
      connection.close();
      await child.stop();
    },
  };
}

interface Payment {
  connection: HttpConnection;
  payment: string;
  sink: WebhookSink;
  secret: string;
}

async function takePayment({ connection, payment, sink, secret }: Payment): Promise<number> {
  const captured = sink.next(({ body }) => body.includes('"eventType":"PaymentSession.captured"'));
  const startNs = process.hrtime.bigint();
  const posted = succeeded(await connection.ask(payment));
  const { atNs, body, header } = await captured;
  const sessionId = /"paymentSessionId":"([^"]+)"/.exec(posted)?.[1];
  if (!sessionId || !body.includes(sessionId)) throw new Error('the webhook is of another payment');
  if (!verifySignature(secret, body, header('signature') ?? '')) throw new Error('a wrong signature');
  return Number(atNs - startNs) / 1e6;
}

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
interface PartTimes {
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
async function startPaymentParts(folder: string, sink: WebhookSink): Promise<PaymentParts> {
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

function sumOf(times: PartTimes): number {
  const { posts, roundTrips, commits, webhooks } = ON_THE_PATH;
  return (
    posts * times.post + roundTrips * times.roundTrip + commits * times.append + webhooks * times.webhook
  );
}

function describeParts(times: PartTimes): string {
  const { roundTrips, commits, webhooks } = ON_THE_PATH;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    `durable POST ${ms(times.post)}`,
    `${roundTrips} QoS 1 round trips of ${ms(times.roundTrip)}`,
    `${commits} durable appends of ${ms(times.append)}`,
    `${webhooks} signed webhooks of ${ms(times.webhook)}`,
  ].join(', ');
}
