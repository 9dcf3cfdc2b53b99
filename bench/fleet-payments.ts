import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_EVENTS } from '../cli/server/seed.ts';
import type { BenchOptions, Result } from './report.ts';
import { startChild } from './child.ts';
import { openHttp, requestText, succeeded } from './http-connection.ts';
import { msSince, pauseMs } from './measure.ts';
import type { FleetOrder, FleetResult } from './processes/fleet-run.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';
import { openWebhookSink, type WebhookSink } from './webhook-sink.ts';

// A command expires after ten seconds, so a slow machine cannot have all payments at once.
const AT_ONCE = 100;
// So long after its start a payment has ended, one way or the other.
const PAYMENT_MS_MAX = 60_000;
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
      events.capture,
    );
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

/**
 * Takes a payment at each terminal, some at once.
 * @param captured waits for the capture of a payment session
 * @returns the ids of the payment sessions
 */
async function payAtEach(
  { url, secretKey }: OurServer,
  terminalIds: string[],
  captured: (sessionId: string) => Promise<void>,
): Promise<string[]> {
  const sessionIds: string[] = [];
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  let next = 0;
  const work = async () => {
    const connection = await openHttp(url);
    while (next < terminalIds.length) {
      const path = `/v1/in-person/terminals/${terminalIds[next++]}/payment`;
      const reply = succeeded(await connection.ask(requestText('POST', path, secretKey, body)));
      const sessionId = /"paymentSessionId":"([^"]+)"/.exec(reply)![1]!;
      sessionIds.push(sessionId);
      await captured(sessionId);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sessionIds;
}

/** Counts the events that the sink receives, each once however often it is delivered. */
function countEvents(sink: WebhookSink) {
  const seen = new Set<string>();
  const captures = new Map<string, number>();
  let repeated = 0;
  const waiting = new Map<string, () => void>();
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
    waiting.get(data.id)?.();
  });
  return {
    capturesOf: (sessionId: string) => captures.get(sessionId) ?? 0,
    distinct: () => seen.size,
    repeated: () => repeated,
    /** Resolves when a session is captured, or after a time in which it should have been. */
    capture: (sessionId: string) =>
      new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timeout);
          waiting.delete(sessionId);
          resolve();
        };
        const timeout = setTimeout(end, PAYMENT_MS_MAX);
        waiting.set(sessionId, end);
        if (captures.has(sessionId)) end();
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
