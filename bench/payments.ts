import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_EVENTS } from '../cli/seed-file.ts';
import type { BenchOptions } from './bench-options.ts';
import { startChild, type Child } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { alternate, median, msSince, spreadOf, type Round } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessUsage } from './processes/process-usage.ts';
import type { TerminalsRequest } from './processes/terminals.ts';
import type { Result } from './report.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

const TERMINALS = 200;
const RATIO_MIN = 0.4;
const CPU_MS_MAX = 1.5;

/** What a payment does, once each, when the webhook receives every event; the bare parts do the same. */
const PARTS = { roundTrips: 2, appendsOfRoundTrip: 2, webhooks: 4 };

/** A server process, the process of its terminals, and a way to pay at each terminal. */
interface Shop {
  server: Child;
  /** Takes one payment at a terminal. Resolves when its last webhook has arrived. */
  pay(terminal: number): Promise<void>;
  close(): Promise<void>;
}

interface Taken {
  perSecond: number;
  /** CPU time of the server process for one payment, milliseconds. */
  cpuMs: number;
}

/** Measures payments at 200 terminals at once, beside the bare parts under the same concurrency. */
export async function benchPayments({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, payments] = quick ? [3, 600] : [7, 2_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const bare = await openBareShop(folder, sink);
  const ours = await openOurShop(folder, sink, profileDir);
  try {
    const taken = await alternate(
      rounds,
      () => takePayments(bare, payments),
      () => takePayments(ours, payments),
    );
    return resultsOf(
      taken,
      `${taken.length} rounds of ${payments} payments at ${TERMINALS} terminals in one process`,
    );
  } finally {
    await Promise.all([bare.close(), ours.close()]);
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(taken: Round<Taken, Taken>[], what: string): Result[] {
  const { roundTrips, appendsOfRoundTrip, webhooks } = PARTS;
  const common = (of: (value: Taken) => number) => ({
    ours: median(taken.map(({ ours }) => of(ours))),
    bare: median(taken.map(({ bare }) => of(bare))),
    ratio: spreadOf(taken.map(({ ours, bare }) => of(ours) / of(bare))),
  });
  const rate = common(({ perSecond }) => perSecond);
  const cpu = common(({ cpuMs }) => cpuMs);
  return [
    {
      name: `payments: ${TERMINALS} terminals at once`,
      unit: '/s',
      ...rate,
      aim: `at least ${RATIO_MIN} of bare`,
      met: rate.ratio.median >= RATIO_MIN,
      details: [
        `${what}, from the POST until the webhook has received every event`,
        `bare: node:http, aedes, mqtt.js and undici in the same two processes; for each payment a durable POST, ${roundTrips} QoS 1 round trips with ${appendsOfRoundTrip} appends after each, ${webhooks} signed webhooks with an append after each; appends that wait share a sync`,
      ],
    },
    {
      name: "payments: server's CPU for each",
      unit: 'ms',
      ...cpu,
      aim: `at most ${CPU_MS_MAX} ms`,
      met: cpu.ours <= CPU_MS_MAX,
      details: ['user and system time of the server process, its broker and its disk threads included'],
    },
  ];
}

async function takePayments({ server, pay }: Shop, payments: number): Promise<Taken> {
  let left = payments;
  const before = await server.ask<ProcessUsage>('usage');
  const startNs = process.hrtime.bigint();
  const work = async (_: unknown, terminal: number) => {
    while (left-- > 0) await pay(terminal);
  };
  await Promise.all(Array.from({ length: TERMINALS }, work));
  const elapsedMs = msSince(startNs);
  const after = await server.ask<ProcessUsage>('usage');
  return { perSecond: (payments * 1000) / elapsedMs, cpuMs: (after.cpuMs - before.cpuMs) / payments };
}

const PAYMENT = { amounts: { requested: 1742 }, currency: 'GBP' };

async function openOurShop(folder: string, sink: WebhookSink, profileDir: string | undefined): Promise<Shop> {
  const server = startChild('our-server', { profileDir });
  const terminals = startChild('terminals', { profileDir });
  const dataDir = join(folder, 'ours');
  const { url, mqttUrl, secretKey } = await server.ask<OurServer>('start', { dataDir, withTerminal: false });
  const connection = await openHttp(url);
  const post = async <Reply>(path: string, body: object) =>
    JSON.parse(succeeded(await connection.ask(requestText('POST', path, secretKey, body)))) as Reply;
  const { items } = await post<{ items: { id: string }[] }>('/sandbox/fleets', { terminals: TERMINALS });
  const terminalIds = items.map(({ id }) => id);
  const plan: TerminalsRequest = { url, secretKey, mqttUrl, terminalIds };
  await terminals.ask('start', plan);
  await post('/v1/webhooks', { url: sink.url, active: true, eventTypes: ALL_EVENTS });
  connection.close();
  const ended = arrivals(sink, PARTS.webhooks, (body) =>
    /"paymentSessionId":"([^"]+)"|"data":{"id":"(ps_[^"]+)"/.exec(body),
  );
  const lines = await openLines(url, terminalIds, (id) =>
    requestText('POST', `/v1/in-person/terminals/${id}/payment`, secretKey, PAYMENT),
  );
  return {
    server,
    async pay(terminal) {
      const posted = await lines.ask(terminal);
      await ended(/"paymentSessionId":"([^"]+)"/.exec(posted)![1]!);
    },
    async close() {
      lines.close();
      await Promise.all([server.stop(), terminals.stop()]);
    },
  };
}

async function openBareShop(folder: string, sink: WebhookSink): Promise<Shop> {
  const [server, terminals] = [startChild('bare-payments'), startChild('bare-terminals')];
  const { url, mqttUrl } = await server.ask<{ url: string; mqttUrl: string }>('start', {
    path: join(folder, 'bare.log'),
    webhookUrl: sink.url,
    ...PARTS,
  });
  const terminalIds = Array.from({ length: TERMINALS }, (_, index) => `bare_${index}`);
  await terminals.ask('start', { mqttUrl, terminalIds });
  const ended = arrivals(sink, PARTS.webhooks, (body) => /"id":"(bare_[^"]+)"/.exec(body));
  const lines = await openLines(url, terminalIds, (id) =>
    requestText('POST', `/${id}`, 'sk_sandbox_bare', PAYMENT),
  );
  return {
    server,
    async pay(terminal) {
      const arrived = ended(terminalIds[terminal]!);
      await lines.ask(terminal);
      await arrived;
    },
    async close() {
      lines.close();
      await Promise.all([server.stop(), terminals.stop()]);
    },
  };
}

/** Opens a connection for each terminal, which sends one request again and again. */
async function openLines(url: string, terminalIds: string[], requestOf: (id: string) => string) {
  const connections: HttpConnection[] = [];
  for (const _ of terminalIds) connections.push(await openHttp(url));
  const requests = terminalIds.map(requestOf);
  return {
    ask: async (terminal: number) => succeeded(await connections[terminal]!.ask(requests[terminal]!)),
    close: () => connections.forEach((connection) => connection.close()),
  };
}

/** Counts what arrives for each payment. The returned function resolves when `count` have arrived for an id. */
function arrivals(sink: WebhookSink, count: number, idOf: (body: string) => RegExpExecArray | null) {
  const seen = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const settle = (id: string) => {
    if ((seen.get(id) ?? 0) < count || !waiting.has(id)) return;
    waiting.get(id)!();
    waiting.delete(id);
    seen.delete(id);
  };
  sink.listen(({ body }) => {
    const found = idOf(body);
    const id = found?.[1] ?? found?.[2];
    if (id === undefined) return;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    settle(id);
  });
  return (id: string) =>
    new Promise<void>((resolve) => {
      waiting.set(id, resolve);
      settle(id);
    });
}
