import { onTestFinished } from 'vitest';
import { ACTION_MACHINE_NAMES } from '../../agent/inspection.ts';
import { OffsetClock } from '../../protocol/clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { createServer, type Server } from '../../server/app.ts';
import { readClockOffset } from '../../server/platform/sandbox-clock.ts';
import type { Store } from '../../server/platform/store/store.ts';
import { boundStore } from '../../testing/world/world-base.ts';
import { turn, VirtualClock } from '../../world/virtual-clock.ts';
import { createApi, type Api } from '../../testing/world/api.ts';
import { createReceivers, type Receivers } from '../../testing/world/receivers.ts';
import { SETTINGS } from '../../testing/world/world-options.ts';

/** A server in this process whose clock is that of `tapbench server`: real time with an offset. Real time stands still. */
export interface RunningServer {
  server: Server;
  store: Store;
  api: Api;
  receivers: Receivers;
  /** Real time. */
  realClock: VirtualClock;
  branchId: string;
  /** Advances the clock by calls of the API. @throws Error unless all is done then */
  advance(...seconds: number[]): Promise<void>;
  stop(): Promise<void>;
}

interface RunningServerOptions {
  startMs?: number;
  realClock?: VirtualClock;
  instanceId?: string;
  /** Whether other servers work on the store. */
  sharedStore?: boolean;
}

/** Starts one on a store that stays open. It is stopped at the end of the test at the latest. */
export async function runningServer(
  store: Store,
  {
    startMs = Date.UTC(2026, 0, 31, 9),
    instanceId = 'running',
    sharedStore = false,
    ...given
  }: RunningServerOptions = {},
): Promise<RunningServer> {
  const { realClock = new VirtualClock(startMs) } = given;
  const receivers = createReceivers(realClock);
  const server = await createServer({
    terminalMachine: ACTION_MACHINE_NAMES,
    settings: SETTINGS,
    store: { ...boundStore(store), close: async () => {} },
    clock: await openClock(store, realClock),
    realClock,
    random: seededRandom('running server'),
    log: silentLog,
    outgoing: receivers.outgoing,
    instanceId,
    sharedStore,
  });
  realClock.settleWith(rested);
  const { subAccountId } = await server.start();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= realClock.advanceUntil(server.stop()));
  onTestFinished(stop);
  const api = createApi(() => server, SETTINGS.secretKey);
  return {
    server,
    store,
    api,
    receivers,
    realClock,
    branchId: subAccountId,
    async advance(...steps) {
      for (const seconds of steps) {
        const { status, body } = await api.post('/sandbox/clock/advance', { seconds });
        if (status !== 200 || body.pending.jobs + body.pending.deliveries > 0)
          throw new Error(`the advance got ${status}: ${JSON.stringify(body)}`);
      }
    },
    stop,
  };
}

/** Resolves when a server in this process has had some turns to go on. */
export async function rested(): Promise<void> {
  for (let turns = 0; turns < 60; turns += 1) await turn();
}

async function openClock(store: Store, realClock: VirtualClock): Promise<OffsetClock> {
  return new OffsetClock(realClock, await readClockOffset(store));
}
