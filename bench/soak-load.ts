import { ALL_EVENTS } from '../cli/server/seed.ts';
import type { Child } from './child.ts';
import type { ExternalEngines } from './external-engines.ts';
import { type HttpConnection, openHttp, requestText, succeeded } from './http-connection.ts';
import { pauseMs } from './measure.ts';
import type { TerminalsRequest } from './processes/our-fleet.ts';
import type { OurServer } from './processes/our-server.ts';
import { openSandboxApi, type SandboxApi } from './sandbox-api.ts';
import { SESSIONS_PATH } from './session-server.ts';
import type { WebhookSink } from './webhook-sink.ts';

const SESSION = { amount: 1742, currency: 'GBP', customerEmail: 'bench@example.com' };
const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
const TERMINALS = 8;
const ONLINE_PAYERS = 2;
// Together five payments a second, half of them on terminals.
const TERMINAL_EVERY_MS = 3_200;
const ONLINE_EVERY_MS = 800;
const SANDBOX_EVERY_MS = 2_000;
const SANDBOXES_KEPT = 10;
const POLL_MS = 50;
const DAY_SECONDS = 86_400;

/** Runs some work and keeps how long it took. */
export type Timed = <T>(work: () => Promise<T>) => Promise<T>;

/** Takes one payment after the other. */
export interface Payer {
  everyMs: number;
  pay(timed: Timed): Promise<void>;
  close(): void;
}

interface Shops {
  servers: readonly OurServer[];
  terminals: Child;
  engines: ExternalEngines;
  sink: WebhookSink;
}

/** Returns payers at terminals and online, whose requests take turns at the servers, with a webhook for every event. */
export async function openPayers({ servers, terminals, engines, sink }: Shops): Promise<Payer[]> {
  const [first] = servers;
  const setUp = await openLine(servers);
  await setUp.ask('POST', '/v1/webhooks', { url: sink.url, active: true, eventTypes: ALL_EVENTS });
  const fleet = { terminals: TERMINALS };
  const { items } = await setUp.ask<{ items: { id: string }[] }>('POST', '/sandbox/fleets', fleet);
  setUp.close();
  const terminalIds = items.map(({ id }) => id);
  await engines.admit(terminalIds);
  const { url, secretKey } = first!;
  await terminals.ask('start', {
    url,
    secretKey,
    mqttUrl: engines.settings['MQTT_URL']!,
    terminalIds,
  } satisfies TerminalsRequest);
  const payers: Payer[] = [];
  for (const id of terminalIds) payers.push(terminalPayer(await openLine(servers), id));
  for (let index = 0; index < ONLINE_PAYERS; index += 1) payers.push(onlinePayer(await openLine(servers)));
  return payers;
}

interface Line {
  ask<Reply = unknown>(method: string, path: string, body?: object): Promise<Reply>;
  close(): void;
}

/** Opens a connection to each server, for one request after the other at each in turn. */
async function openLine(servers: readonly OurServer[]): Promise<Line> {
  const connections: HttpConnection[] = [];
  for (const { url } of servers) connections.push(await openHttp(url));
  let next = 0;
  return {
    async ask(method, path, body) {
      const turn = next++ % servers.length;
      const request = requestText(method, path, servers[turn]!.secretKey, body);
      return JSON.parse(succeeded(await connections[turn]!.ask(request)));
    },
    close: () => connections.forEach((connection) => connection.close()),
  };
}

function terminalPayer({ ask, close }: Line, terminalId: string): Payer {
  const path = `/v1/in-person/terminals/${terminalId}`;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  const actionOf = async (timed: Timed) =>
    (await timed(() => ask<{ action: { status: string; error?: object } | null }>('GET', path))).action;
  return {
    everyMs: TERMINAL_EVERY_MS,
    async pay(timed) {
      await timed(() => ask('POST', `${path}/payment`, body));
      let action = await actionOf(timed);
      while (action?.status === 'InProgress') {
        await pauseMs(POLL_MS);
        action = await actionOf(timed);
      }
      if (action?.status !== 'Succeeded') throw new Error(`the action ${JSON.stringify(action)}`);
    },
    close,
  };
}

function onlinePayer({ ask, close }: Line): Payer {
  return {
    everyMs: ONLINE_EVERY_MS,
    async pay(timed) {
      const created = await timed(() => ask<{ clientSecret: string }>('POST', SESSIONS_PATH, SESSION));
      const attempt = { clientSecret: created.clientSecret, cardDetails: CARD };
      await timed(() => ask('POST', `${SESSIONS_PATH}/attempt-payment`, attempt));
    },
    close,
  };
}

/** Sandboxes that come and go. */
export interface SandboxChanges {
  everyMs: number;
  /** Creates a sandbox, pays in it, and deletes the oldest of ten on another server. */
  next(timed: Timed): Promise<void>;
  close(): void;
}

export async function openSandboxChanges(servers: readonly OurServer[]): Promise<SandboxChanges> {
  const apis: SandboxApi[] = [];
  for (const server of servers) apis.push(await openSandboxApi(server));
  const apiOf = (round: number) => apis[round % apis.length]!;
  const nameOf = (round: number) => `soak-${round}`;
  let next = 0;
  return {
    everyMs: SANDBOX_EVERY_MS,
    async next(timed) {
      const round = next++;
      await timed(() => apiOf(round).create(nameOf(round)));
      await timed(() => apiOf(round).pay(nameOf(round), SESSION));
      const oldest = round - SANDBOXES_KEPT;
      if (oldest >= 0) await timed(() => apiOf(oldest + 1).remove(nameOf(oldest)));
    },
    close: () => apis.forEach((api) => api.close()),
  };
}

/** Advances the clock of `default` by a day and an hour on all servers. */
export async function advanceClock(servers: readonly OurServer[]): Promise<void> {
  const line = await openLine(servers);
  await line.ask('POST', '/sandbox/clock/advance', { seconds: DAY_SECONDS + 3_600 });
  // Each reads there what the others have advanced, which it would otherwise do within a second.
  for (const _ of servers) await line.ask('GET', '/sandbox/clock');
  line.close();
}
