import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_EVENTS } from '../cli/seed-file.ts';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { openHttp, requestText, succeeded } from './http-connection.ts';
import { msSince, pauseMs } from './measure.ts';
import type { FleetOrder, FleetResult } from './processes/fleet-run.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessUsage } from './processes/process-usage.ts';
import type { Result } from './report.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

const CONNECTIONS = 100;
// More than is needed for payments at the rate of a slow machine.
const PAYMENTS_MS_MAX = 900_000;
// For events that must not come.
const REST_MS = 3_000;

/** Takes a payment at each terminal of a large fleet, and counts how each of them ends. */
export async function benchFleetPayments({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const count = quick ? 1_000 : 10_000;
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sink = await openWebhookSink();
  const server = startChild('our-server', { exposeGc: true, profileDir });
  const fleet = startChild('our-fleet', { exposeGc: true, profileDir });
  try {
    const started = await server.ask<OurServer>('start', { dataDir: folder, withTerminal: false });
    const api = openApi(started);
    await api.post('/v1/webhooks', { url: sink.url, active: true, eventTypes: ALL_EVENTS });
    const order: FleetOrder = { ...started, count };
    const { onlineAtMs } = await fleet.ask<FleetResult>('connect', order);
    const fleetBody = { terminals: count };
    const { items } = await api.post<{ items: { id: string }[] }>('/sandbox/fleets', fleetBody);
    const events = countEvents(sink);
    const startNs = process.hrtime.bigint();
    const sessionIds = await payAtEach(
      started,
      items.map(({ id }) => id),
    );
    await events.captured(sessionIds.length);
    const seconds = msSince(startNs) / 1000;
    await pauseMs(REST_MS);
    const once = sessionIds.filter((id) => events.capturesOf(id) === 1).length;
    const stored = await countStatuses(api, '/v1/payment-sessions');
    const memory = async (child: typeof server) =>
      `${((await child.ask<ProcessUsage>('usage')).bytes / 2 ** 20).toFixed(0)} MB`;
    const met = once === count && new Set(sessionIds).size === count && stored.get('Captured') === count;
    const ratio = once / count;
    return [
      {
        name: `fleet of ${count.toLocaleString('en-GB')}, a payment at each: captured once`,
        unit: 'payments',
        ours: once,
        bare: count,
        ratio: { median: ratio, low: ratio, high: ratio },
        aim: 'every one',
        met,
        details: [
          `all online after ${(onlineAtMs.at(-1)! / 1000).toFixed(1)} s; all paid after ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second`,
          `payment sessions in the store: ${[...stored].map(([status, sessions]) => `${sessions} ${status}`).join(', ')}`,
          `events: ${events.distinct()}, of which ${events.repeated()} were delivered again`,
          `memory afterwards: ${await memory(server)} of the server, ${await memory(fleet)} of the fleet`,
          'bare: the payments that were started',
        ],
      },
    ];
  } finally {
    await fleet.stop();
    await server.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function openApi({ url, secretKey }: OurServer) {
  const ask = async <Reply>(method: 'GET' | 'POST', path: string, body?: object) => {
    const connection = await openHttp(url);
    const reply = succeeded(await connection.ask(requestText(method, path, secretKey, body)));
    connection.close();
    return JSON.parse(reply) as Reply;
  };
  return {
    get: <Reply>(path: string) => ask<Reply>('GET', path),
    post: <Reply>(path: string, body: object) => ask<Reply>('POST', path, body),
  };
}

/** Starts a payment at each terminal. Returns the ids of the payment sessions. */
async function payAtEach({ url, secretKey }: OurServer, terminalIds: string[]): Promise<string[]> {
  const sessionIds: string[] = [];
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  let next = 0;
  const work = async () => {
    const connection = await openHttp(url);
    while (next < terminalIds.length) {
      const path = `/v1/in-person/terminals/${terminalIds[next++]}/payment`;
      const reply = succeeded(await connection.ask(requestText('POST', path, secretKey, body)));
      sessionIds.push(/"paymentSessionId":"([^"]+)"/.exec(reply)![1]!);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return sessionIds;
}

/** Counts the events that the sink receives, each once however often it is delivered. */
function countEvents(sink: WebhookSink) {
  const seen = new Set<string>();
  const captures = new Map<string, number>();
  let repeated = 0;
  let changed = () => {};
  sink.listen(({ body }) => {
    const { id, eventType, data } = JSON.parse(body) as {
      id: string;
      eventType: string;
      data: { id: string };
    };
    if (seen.has(id)) return void (repeated += 1);
    seen.add(id);
    if (eventType !== 'PaymentSession.captured') return;
    captures.set(data.id, (captures.get(data.id) ?? 0) + 1);
    changed();
  });
  return {
    capturesOf: (sessionId: string) => captures.get(sessionId) ?? 0,
    distinct: () => seen.size,
    repeated: () => repeated,
    /** Resolves when so many sessions were captured, or after a time in which they should have been. */
    captured: (count: number) =>
      new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, PAYMENTS_MS_MAX);
        changed = () => {
          if (captures.size < count) return;
          clearTimeout(timeout);
          resolve();
        };
        changed();
      }),
  };
}

/** Counts the objects of a list by their status, reading all of its pages. */
async function countStatuses(api: ReturnType<typeof openApi>, path: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  let startsAfter = '';
  do {
    const page = await api.get<{ items: { status: string }[]; paginationToken?: string | null }>(
      `${path}?limit=50${startsAfter}`,
    );
    for (const { status } of page.items) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    startsAfter = page.paginationToken ? `&startsAfter=${encodeURIComponent(page.paginationToken)}` : '';
  } while (startsAfter !== '');
  return statuses;
}
