import { ACTION_MACHINE_NAMES } from '../../../agent/inspection.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog, type Log } from '../../../protocol/log.ts';
import { createServer, type Server } from '../../../server/app.ts';
import type { SandboxHosting } from '../../../server/sandbox-host.ts';
import { readClockOffset } from '../../../server/platform/sandbox-clock.ts';
import type { ServerSettings } from '../../../server/platform/settings.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import type { CreatedSandbox } from '../../../server/sandboxes/sandbox.schema.ts';
import { createReceivers, type Receivers } from '../../../testing/world/receivers.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

const DEFAULT_KEY = 'sk_sandbox_default';

interface Call {
  body?: unknown;
  /** A body as it is, in place of `body`. */
  raw?: Buffer;
  /** The secret key of the sandbox `default`, unless given. */
  key?: string;
  headers?: Record<string, string>;
}

interface Answer {
  status: number;
  // oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
  body: any;
  /** The body as it is. */
  raw: Buffer;
}

/** A server that keeps sandboxes, in this process and without ports. */
interface HostingServer {
  readonly server: Server;
  /** Real time: of expiry. */
  readonly realClock: VirtualClock;
  readonly receivers: Receivers;
  /** Where the sandboxes are stored. */
  readonly folder: string;
  call(operation: string, call?: Call): Promise<Answer>;
  /** Creates a sandbox. @throws Error unless the reply has status 200 */
  create(input?: object): Promise<CreatedSandbox>;
  /** Stops the server and starts another on the same folder. */
  restart(): Promise<void>;
}

export interface HostingOptions extends Partial<SandboxHosting> {
  /** The database of `default` in place of a file. */
  databaseUrl?: string;
  settings?: Partial<ServerSettings>;
  /** Names the server among those on the same database. */
  instanceId?: string;
  /** Real time; a new clock unless given. */
  realClock?: VirtualClock;
  /** Silent unless given. */
  log?: Log;
}

/** Starts a server with one sandbox, `default`, and stops it at the end of the test. */
export async function hostingServer(options: HostingOptions = {}): Promise<HostingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hosting-'));
  const { realClock = new VirtualClock(START_MS) } = options;
  const receivers = createReceivers();
  const start = () => startServer(folder, realClock, receivers, options);
  let server = await start();
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const call: HostingServer['call'] = async (operation, { body, raw, key = DEFAULT_KEY, headers } = {}) => {
    const [method, url] = operation.split(' ') as ['GET', string];
    const answer = await server.http.inject({
      method,
      url,
      headers: { ...(key !== '' && { authorization: key }), ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      ...(raw !== undefined && { payload: raw }),
    });
    return { status: answer.statusCode, body: parsed(answer.payload), raw: answer.rawPayload };
  };
  return {
    get server() {
      return server;
    },
    realClock,
    receivers,
    folder,
    call,
    async create(input = {}) {
      const { status, body } = await call('POST /sandboxes', { body: input });
      if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
      return body as CreatedSandbox;
    },
    async restart() {
      await server.stop();
      server = await start();
    },
  };
}

async function startServer(
  folder: string,
  realClock: VirtualClock,
  receivers: Receivers,
  {
    databaseUrl,
    instanceId = 'hosting',
    settings,
    realClock: _given,
    log = silentLog,
    ...options
  }: HostingOptions,
): Promise<Server> {
  const server = await createServer({
    terminalMachine: ACTION_MACHINE_NAMES,
    settings: {
      mode: 'sandbox',
      secretKey: DEFAULT_KEY,
      publicKey: 'pk_sandbox_default',
      pairingSecret: 'a pairing secret for tests, long enough',
      dashboardToken: 'dash_a-token-for-tests-that-is-long-enough',
      rateLimit: 'off',
      magicAmounts: undefined,
      publicUrl: 'http://tapbench.test',
      ...settings,
    },
    store: await openStore({ path: join(folder, 'store.db'), log, ...(databaseUrl && { databaseUrl }) }),
    clock: new VirtualClock(START_MS),
    realClock,
    random: seededRandom(`${instanceId} ${realClock.nowMs()}`),
    log,
    outgoing: receivers.outgoing,
    instanceId,
    sandboxes: {
      storage: createFolderStorage({ folder: join(folder, 'sandboxes'), log }),
      openOutgoing: () => receivers.outgoing,
      async openClock(store) {
        const offsetMs = await readClockOffset(store);
        return VirtualClock.continuing(realClock.nowMs() + offsetMs, offsetMs);
      },
      ...options,
    },
  });
  await server.start();
  return server;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
