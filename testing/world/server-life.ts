import type { FirstAccounts } from '../../server/api/bootstrap/bootstrap.ts';
import type { Server } from '../../server/app.ts';
import type { Outgoing } from '../../server/platform/outgoing.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { ServerEnd } from '../../server/traces/recording.ts';
import type { FleetMember } from '../../simulator/fleet.ts';
import { composeServer } from '../../world/compose-world.ts';
import type { OpenCalls } from './api.ts';
import type { WorldBase } from './world-base.ts';
import type { WorldOptions } from './world-options.ts';

/** The servers of a world, one after the other on the same store: each restart and each kill begins another. */
export interface WorldServers {
  readonly current: Server;
  readonly accounts: FirstAccounts;
  /** The calls to them that have no reply yet. */
  readonly calls: OpenCalls;
  /** Adds what is called with each server that follows another, before it starts. */
  whenNext(run: (server: Server, ended: ServerEnd) => void): void;
  /** Stops the server and starts the next. */
  restart(): Promise<void>;
}

/** Starts the first server of a world. @param exportTerminals returns the terminals of the world as they stand */
export async function startServers(
  { parts, worldLog }: WorldBase,
  options: Pick<WorldOptions, 'outgoing'>,
  exportTerminals: () => Promise<FleetMember[]>,
): Promise<WorldServers> {
  const calls: OpenCalls = { open: 0, onCall: worldLog?.addCall };
  const onNext: ((server: Server, ended: ServerEnd) => void)[] = [];

  async function composeNext(): Promise<Server> {
    const toOthers = options.outgoing?.() ?? parts.outgoing;
    const life = createServerLife(parts.store, toOthers);
    const kill = () => {
      life.end();
      composed.kill();
      void toOthers.close();
      startAgain(calls, () => startNext('killed'));
    };
    const { store, outgoing } = life;
    const composed: Server = await composeServer({ ...parts, store, outgoing, killer: { kill } });
    worldLog?.server(composed);
    composed.services.program.onExport(exportTerminals);
    return composed;
  }

  /** Starts a server on the store of the one that has ended, and goes on with what that one was recording. */
  async function startNext(ended: ServerEnd): Promise<void> {
    const { recordings } = current.services;
    current = await composeNext();
    if (recordings) current.services.recordings?.continueFrom(recordings, ended);
    for (const run of onNext) run(current, ended);
    accounts = await current.start();
  }

  let current = await composeNext();
  let accounts = await current.start();
  return {
    get current() {
      return current;
    },
    get accounts() {
      return accounts;
    },
    calls,
    whenNext: (run) => void onNext.push(run),
    async restart() {
      await current.stop();
      await startNext('stopped');
    },
  };
}

const never = new Promise<never>(() => {});

/** What a server is cut from when it is killed. */
interface ServerLife {
  store: Store;
  outgoing: Outgoing;
  /** From now on neither the store nor other servers answer. */
  end(): void;
}

/** Wraps the store and the client of a server, so that it can be killed within this process. */
function createServerLife(store: Store, outgoing: Outgoing): ServerLife {
  let hasEnded = false;
  return {
    store: {
      ...store,
      get: (sql, ...parameters) => (hasEnded ? never : store.get(sql, ...parameters)),
      all: (sql, ...parameters) => (hasEnded ? never : store.all(sql, ...parameters)),
      run: (sql, ...parameters) => (hasEnded ? never : store.run(sql, ...parameters)),
      transaction: (body, options) => (hasEnded ? never : store.transaction(body, options)),
    },
    outgoing: {
      ...outgoing,
      post: (request) => (hasEnded ? never : outgoing.post(request)),
      get: (request) => (hasEnded ? never : outgoing.get(request)),
    },
    end: () => void (hasEnded = true),
  };
}

/**
 * Cuts the pending requests of a server that was killed, and lets later ones wait until it is up again. One that is killed
 * while it starts never is, and the next one ends the wait.
 */
function startAgain(calls: OpenCalls, start: () => Promise<void>): void {
  for (const cut of calls.cuts ?? [])
    cut(Object.assign(new TypeError('fetch failed: the server was killed'), { code: 'ECONNRESET' }));
  const before = calls.starting;
  const up = start().then(() => void (calls.starting = undefined));
  calls.starting = before ? Promise.race([before, up]) : up;
  // Each call that waits fails with it.
  calls.starting.catch(() => {});
}
