import { join } from 'node:path';
import { ALL_EVENTS } from '../cli/server/seed.ts';
import { startChild, type ChildOptions } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { msSince } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';
import type { TerminalsRequest } from './processes/our-fleet.ts';
import type { WebhookSink } from './webhook-sink.ts';

/** Terminals that are paid at, all at once. */
export const TERMINALS = 200;

/** What a payment does, once each, when the webhook receives every event; the bare parts do the same. */
export const PARTS = { roundTrips: 2, appendsOfRoundTrip: 2, webhooks: 4 };

/** A server process, the process of its terminals, and a way to pay at each terminal. */
export interface Shop {
  /** Returns what the server process has used. */
  usage(): Promise<ProcessUsage>;
  /** Takes one payment at a terminal. Resolves when its last webhook has arrived. */
  pay(terminal: number): Promise<void>;
  close(): Promise<void>;
}

export interface PaymentsTaken {
  perSecond: number;
  /** CPU time of the server process for one payment, milliseconds. */
  cpuMs: number;
}

/** Takes payments at so many terminals at once, by default all. */
export async function takePayments(
  { usage, pay }: Shop,
  payments: number,
  terminals = TERMINALS,
): Promise<PaymentsTaken> {
  let left = payments;
  const before = await usage();
  const startNs = process.hrtime.bigint();
  const work = async (_: unknown, terminal: number) => {
    while (left-- > 0) await pay(terminal);
  };
  await Promise.all(Array.from({ length: terminals }, work));
  const elapsedMs = msSince(startNs);
  const after = await usage();
  return { perSecond: (payments * 1000) / elapsedMs, cpuMs: (after.cpuMs - before.cpuMs) / payments };
}

const PAYMENT = { amounts: { requested: 1742 }, currency: 'GBP' };

/** A server that listens, of any version. */
export interface RunningServer {
  url: string;
  secretKey: string;
}

interface OurShopPlan extends ChildOptions {
  dataDir: string;
  /** More settings of the server, by their environment variables. */
  settings?: Record<string, string>;
  /** Lets terminals into an external broker. */
  admit?(terminalIds: string[]): Promise<void>;
}

/** Starts a server, and its terminals in a process of their own as `tapbench sim` does. */
export async function openOurShop(
  { dataDir, settings, admit, ...options }: OurShopPlan,
  sink: WebhookSink,
): Promise<Shop & RunningServer> {
  const server = startChild('our-server', options);
  const terminals = startChild('our-fleet', options);
  const order = { dataDir, withTerminal: false, settings };
  const { mqttUrl, ...running } = await server.ask<OurServer>('start', order);
  const tills = await openTills([running], sink, async (terminalIds) => {
    await admit?.(terminalIds);
    await terminals.ask('start', { ...running, mqttUrl, terminalIds } satisfies TerminalsRequest);
  });
  return {
    ...running,
    usage: () => server.ask<ProcessUsage>('usage'),
    pay: tills.pay,
    async close() {
      tills.close();
      await Promise.all([server.stop(), terminals.stop()]);
    },
  };
}

/**
 * Registers terminals and a webhook for every event.
 * @param servers share a store; each terminal's payments are sent to one of them
 * @param start runs the terminals until they are online
 */
export async function openTills(
  servers: readonly RunningServer[],
  sink: WebhookSink,
  start: (terminalIds: string[]) => Promise<void>,
): Promise<Pick<Shop, 'pay'> & { close(): void }> {
  const { url, secretKey } = servers[0]!;
  const connection = await openHttp(url);
  const post = async <Reply>(path: string, body: object) =>
    JSON.parse(succeeded(await connection.ask(requestText('POST', path, secretKey, body)))) as Reply;
  const { items } = await post<{ items: { id: string }[] }>('/sandbox/fleets', { terminals: TERMINALS });
  const terminalIds = items.map(({ id }) => id);
  await start(terminalIds);
  await post('/v1/webhooks', { url: sink.url, active: true, eventTypes: ALL_EVENTS });
  connection.close();
  const ended = arrivals(sink, PARTS.webhooks, (body) =>
    /"paymentSessionId":"([^"]+)"|"data":{"id":"(ps_[^"]+)"/.exec(body),
  );
  const lines = await openLines(
    servers.map((server) => server.url),
    terminalIds,
    (id) => requestText('POST', `/v1/in-person/terminals/${id}/payment`, secretKey, PAYMENT),
  );
  return {
    async pay(terminal) {
      const posted = await lines.ask(terminal);
      await ended(/"paymentSessionId":"([^"]+)"/.exec(posted)![1]!);
    },
    close: () => lines.close(),
  };
}

/** Starts the same processes without our code. */
export async function openBareShop(folder: string, sink: WebhookSink): Promise<Shop> {
  const [server, terminals] = [startChild('bare-payments'), startChild('bare-terminals')];
  const { url, mqttUrl } = await server.ask<{ url: string; mqttUrl: string }>('start', {
    path: join(folder, 'bare.log'),
    webhookUrl: sink.url,
    ...PARTS,
  });
  const terminalIds = Array.from({ length: TERMINALS }, (_, index) => `bare_${index}`);
  await terminals.ask('start', { mqttUrl, terminalIds });
  const ended = arrivals(sink, PARTS.webhooks, (body) => /"id":"(bare_[^"]+)"/.exec(body));
  const lines = await openLines([url], terminalIds, (id) =>
    requestText('POST', `/${id}`, 'sk_sandbox_bare', PAYMENT),
  );
  return {
    usage: () => server.ask<ProcessUsage>('usage'),
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

/** Opens a connection for each terminal, to one server after the other, which sends one request again and again. */
async function openLines(urls: readonly string[], terminalIds: string[], requestOf: (id: string) => string) {
  const connections: HttpConnection[] = [];
  for (const index of terminalIds.keys()) connections.push(await openHttp(urls[index % urls.length]!));
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
