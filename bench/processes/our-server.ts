import { mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { startLocalFleet, type LocalFleet } from '../../cli/server/local-fleet.ts';
import { readOptions } from '../../cli/command-line/option.ts';
import { SERVER_OPTIONS } from '../../cli/server/server-options.ts';
import { addDefaultTerminal, ensureDefaultTerminal } from '../../cli/server/default-terminal.ts';
import { startServer, type StartedServer } from '../../cli/server/start-server.ts';
import {
  handleParentRequests,
  type FillRequest,
  sampleIds,
  memoryOfProcess,
  usageOfProcess,
} from './parent-requests.ts';
import { silentContext } from './silent-context.ts';
import { createSessionFromRequest } from '../../server/api/payments/session-request.ts';
import type { Transaction } from '../../server/platform/store/store.ts';
import { insertRequests, type NewRequestRow } from '../../server/platform/request-log/request.records.ts';
import type { JsonText } from '../../server/platform/store/json-text.ts';

const SESSIONS_AT_ONCE = 256;

/** Creates payment sessions without HTTP. Returns a sample of the ids. */
async function fillSessions(started: StartedServer, order: FillRequest): Promise<string[]> {
  const { services } = started.server;
  const { platformId } = started.accounts;
  const caller = { keyKind: 'secret', keyHash: '', platformId, accountId: platformId } as const;
  const ids: string[] = [];
  while (ids.length < order.count) {
    const length = Math.min(SESSIONS_AT_ONCE, order.count - ids.length);
    const rows = await Promise.all(
      Array.from({ length }, () =>
        services.store.transaction((tx) => createSessionFromRequest(tx, services, caller, order.body)),
      ),
    );
    for (const { id } of rows) ids.push(id);
  }
  return sampleIds(ids, order.sampleCount);
}

export interface OurServer {
  url: string;
  secretKey: string;
  mqttUrl: string;
  /** The simulated terminal of `tapbench up`, if requested. */
  terminalId: string | undefined;
}

interface OurServerRequest {
  dataDir: string;
  withTerminal: boolean;
  /** Whether sandboxes that are created get a terminal. */
  hosts?: boolean;
  /** More settings, by their environment variables. */
  settings?: Record<string, string>;
}

/** Cardholders and readers without delays. */
const NO_DELAY = { cardholder: { script: 'tap', delayMs: 0 }, readLatencyMs: 0 } as const;

const context = silentContext();
let started: StartedServer | undefined;
let fleet: LocalFleet | undefined;

handleParentRequests({
  /** Starts `tapbench server`, or with a terminal `tapbench up`, from the same parts. */
  async start({
    dataDir,
    withTerminal,
    hosts = false,
    settings: others,
  }: OurServerRequest): Promise<OurServer> {
    mkdirSync(dataDir, { recursive: true });
    const settings = { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', RATE_LIMIT: 'off', ...others };
    const program = hosts ? { setUp: addDefaultTerminal } : {};
    started = await startServer(context, readOptions(SERVER_OPTIONS, {}, settings), program);
    const terminalId = withTerminal ? await addTerminal(started) : undefined;
    const { url, mqttUrl } = await started.listen();
    return { url, mqttUrl, secretKey: started.keys.secretKey, terminalId };
  },
  usage: usageOfProcess,
  memory: memoryOfProcess,
  fill: (order: FillRequest) => fillSessions(started!, order),
  fillRequests: (order: RequestsOrder) => fillRequests(started!, order),
  async stop() {
    await fleet?.close();
    await started?.stop();
  },
});

async function addTerminal(server: StartedServer): Promise<string> {
  const { made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, []);
  fleet = startLocalFleet(context, server, [made!.id], NO_DELAY);
  await fleet.online;
  return made!.id;
}

interface RequestsOrder {
  count: number;
  /** Characters of the reply of each. */
  characters: number;
}

const REQUESTS_AT_ONCE = 200;

/** Stores requests in the log of `default`, as if they had been received. */
async function fillRequests({ server }: StartedServer, { count, characters }: RequestsOrder): Promise<void> {
  const { store, realClock } = server.services;
  const replyOf = () =>
    JSON.stringify({ items: randomBytes(characters / 2).toString('hex') }) as JsonText<unknown>;
  const noMembers = '{}' as JsonText<Record<string, unknown>>;
  const rowOf = (index: number): NewRequestRow => ({
    id: `req_bench${index}`,
    received_ms: realClock.nowMs(),
    created_ms: realClock.nowMs(),
    elapsed_us: 1_000,
    method: 'GET',
    path: '/v1/payment-sessions',
    status: 200,
    key_end: null,
    account_id: null,
    request_id: null,
    operation: null,
    tag: null,
    refusal: null,
    idempotency_key: null,
    object_ids: '',
    query: null,
    headers: noMembers,
    answer_headers: noMembers,
    body: null,
    answer: replyOf(),
  });
  for (let from = 0; from < count; from += REQUESTS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(REQUESTS_AT_ONCE, count - from) }, (_, index) =>
      rowOf(from + index),
    );
    const keep = (tx: Transaction) => insertRequests(tx, store.engine, rows, { countMax: count });
    await store.transaction(keep, { guardedBy: ['latestRows'] });
  }
}
