import { VirtualClock } from '../virtual-clock.ts';
import { OffsetClock } from '../../protocol/clock.ts';
import { Fault, errorCode } from '../../protocol/failures.ts';
import { silentLog } from '../../protocol/log.ts';
import { seededRandom } from '../../protocol/ids.ts';
import type { Server } from '../../server/app.ts';
import type { SandboxClock } from '../../server/platform/sandbox-clock.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import { settingsOfTrace, type Trace } from '../../server/traces/trace-format.schema.ts';
import { createFleet, type Fleet } from '../../simulator/fleet.ts';
import { addTerminals, composeFleetParts, composeServer, shortestPauses } from '../compose-world.ts';
import { createIdleDetector } from '../idle-detector.ts';
import { createMeter } from '../metered-connector.ts';
import { restoreDatabase } from '../restore-database.ts';
import { filledSnapshot, fillPlaceholders, type FilledPlaceholders } from './filled-placeholders.ts';
import { holdRequests, type HeldRequests } from './recorded-answers.ts';

/**
 * The clock of a replay of a recording on virtual time, whose items say when time passes, and when a request that advanced
 * the clock was answered.
 */
export class ReplayClock extends VirtualClock {
  #advances: (() => void)[] = [];

  protected override passOffset(): Promise<void> {
    return new Promise((resolve) => this.#advances.push(resolve));
  }

  /** Lets the first of the advances end that are under way. */
  endAdvance(): void {
    this.#advances.shift()?.();
  }
}

/** The world in which a trace is replayed. It begins with the snapshot of the trace. */
export interface ReplayWorld {
  server: Server;
  fleet: Fleet;
  /** Real time, or the time of the sandbox where that was virtual in the recording. */
  time: VirtualClock;
  placeholders: FilledPlaceholders;
  requests: HeldRequests;
  /** Increases with each message between server and terminals. */
  activity(): number;
  /** Returns whether nothing is under way but requests that are held. */
  quiet(): boolean;
  settled(): Promise<void>;
  /** Sends a request to the server. Its answer is seen by those who watch the inputs of the server. */
  send(request: SentRequest): Promise<void>;
  close(): Promise<void>;
}

interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: string | Buffer | undefined;
}

/**
 * @param interrupted lets no more time pass
 * @throws Refusal `snapshot_damaged`
 */
export async function startReplayWorld(trace: Trace, interrupted?: AbortSignal): Promise<ReplayWorld> {
  const { header, summary } = trace;
  const random = seededRandom(`${header.seed ?? header.createdMs} replay`);
  const startClock = new VirtualClock(header.clockMs);
  const placeholders = fillPlaceholders(summary.secrets, { clock: startClock, random });
  const { database, terminals, offsetMs } = await restoreDatabase(
    await filledSnapshot(trace, placeholders),
    async () => undefined,
  );
  const { time, clock } = clocksOf(trace, offsetMs);
  const store = await openStore({ log: silentLog, copyOf: database });
  const requests = holdRequests();
  const meter = createMeter();
  const parts = {
    settings: settingsOf(trace, placeholders),
    store,
    clock,
    realClock: time,
    random,
    log: silentLog,
    outgoing: requests.outgoing,
    meter,
  };
  const server = await composeServer(parts);
  await server.start();
  const calls = sendRequests(server);
  const fleet = createFleet(
    composeFleetParts(parts, {
      server: () => server,
      ...(!trace.header.virtualTime && { linkRandom: shortestPauses }),
      async request(method, path, body) {
        const headers = { authorization: parts.settings.secretKey };
        const payload = body === undefined ? '' : JSON.stringify(body);
        const answer = await calls.send({ method, url: path, headers, payload });
        if (!answer) throw new Fault('transport', 'the connection was closed before the reply');
        const json: unknown = JSON.parse(answer.body);
        return { status: answer.statusCode, body: json };
      },
    }),
  );
  server.services.program.onExport(() => fleet.exportState());
  server.services.activities.listen('fleet of a replay', (activity) => {
    if (activity.kind === 'terminal.removed') void fleet.remove(activity.terminalId);
  });
  const quiet = () => meter.pendingPublishes === 0 && (requests.held().length > 0 || isIdle(server, calls));
  const { settled, until } = createIdleDetector({ quiet, activity: () => meter.activity });
  let isClosing = false;
  time.settleWith(async () => {
    // A world that closes lets time pass.
    if (!isClosing) interrupted?.throwIfAborted();
    await settled();
  });
  await addTerminals(terminals, fleet, until);
  return {
    server,
    fleet,
    time,
    placeholders,
    requests,
    activity: () => meter.activity,
    quiet,
    settled,
    send: async (request) => void (await calls.send(request)),
    async close() {
      isClosing = true;
      await time.advanceUntil(fleet.close());
      await time.advanceUntil(server.stop());
    },
  };
}

/** Returns whether a server has nothing to do until time passes. */
function isIdle(
  { services: { clockAdvances, faults }, idle }: Server,
  calls: { readonly open: number },
): boolean {
  if (faults?.holdsStore()) return true;
  return calls.open <= (faults?.heldCalls() ?? 0) + clockAdvances.openCalls && idle();
}

/** Sends requests to a server without a network. */
function sendRequests({ http }: Server) {
  const calls = {
    /** Number of requests without an answer. */
    open: 0,
    /** Returns undefined for a connection that was closed before the answer. */
    async send({ method, url, headers, payload }: SentRequest) {
      calls.open += 1;
      try {
        return await http.inject({
          method,
          url,
          headers,
          ...(payload !== undefined && { payload }),
        });
      } catch (thrown) {
        // A fault of a plan closed the connection, as when it was recorded.
        if (errorCode(thrown) !== 'LIGHT_ECONNRESET') throw thrown;
        return undefined;
      } finally {
        calls.open -= 1;
      }
    },
  };
  return calls;
}

function clocksOf({ header: { virtualTime, clockMs } }: Trace, offsetMs: number) {
  if (virtualTime) {
    const time = ReplayClock.continuing(clockMs, offsetMs);
    return { time, clock: time as SandboxClock };
  }
  const time = new VirtualClock(clockMs - offsetMs);
  return { time, clock: new OffsetClock(time, offsetMs) as SandboxClock };
}

function settingsOf({ header }: Trace, { settingOf }: FilledPlaceholders): ServerSettings {
  const settings = settingsOfTrace(header);
  return {
    ...settings,
    magicAmounts: settings.magicAmounts,
    mode: 'sandbox',
    seed: header.seed ?? undefined,
    secretKey: settingOf('secretKey')!,
    publicKey: settingOf('publicKey')!,
    hostKey: settingOf('hostKey'),
    pairingSecret: settingOf('pairingSecret')!,
    dashboardToken: settingOf('dashboardToken')!,
  };
}
