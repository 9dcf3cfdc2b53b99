import { createCountedLog, type Log } from '../../../protocol/log.ts';
import { after, delay, type Clock, type Timer } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Queries, Transaction } from '../store/store.ts';
import type { Services } from '../services.ts';
import { LEASE_MS, RENEW_MS } from '../instance-lease.ts';
import { DATABASE_NOW_MS } from '../store/database-clock.ts';
import { readClockOffset } from '../sandbox-clock.ts';

/**
 * Keeps that a server runs at this instant.
 * @param offsetMs the offset of the sandbox clock that it has taken over; unknown where it starts
 */
export async function recordInstance(
  tx: Transaction,
  id: string,
  realNowMs: number,
  offsetMs: number | null = null,
): Promise<void> {
  await tx.run(
    `INSERT INTO instances (id, seen_ms, clock_offset_ms) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms, clock_offset_ms = excluded.clock_offset_ms`,
    id,
    realNowMs,
    offsetMs,
  );
}

/** How many servers besides this one run on the store. Those that ended without a word are deleted. */
export async function countOtherInstances(tx: Transaction, id: string, realNowMs: number): Promise<number> {
  await tx.run(`DELETE FROM instances WHERE seen_ms < ?`, realNowMs - LEASE_MS);
  const row = await tx.get<{ others: number }>(`SELECT COUNT(*) AS others FROM instances WHERE id <> ?`, id);
  return row!.others;
}

/**
 * Waits until no server is seen on a store of PostgreSQL whose tables are to be changed. One that was killed counts as
 * running for a while.
 * @throws Fault `bad_setting` when one runs on
 */
export async function refuseRunningServers(
  store: Queries,
  { realClock, log }: { realClock: Clock; log: Log },
): Promise<void> {
  const sinceMs = realClock.nowMs();
  for (let waits = 0; ; waits += 1) {
    const running = await countRunning(store);
    if (running === 0) return;
    if (realClock.nowMs() - sinceMs > LEASE_MS) {
      throw new Fault(
        'bad_setting',
        `${running} other ${running === 1 ? 'server runs' : 'servers run'} on DATABASE_URL, and would meet tables of ` +
          'this newer version: stop every server on it, then start this one again',
      );
    }
    if (waits === 0) log.warn({ running }, 'waits for the servers of an earlier version to end');
    await delay(realClock, POLL_EVERY_MS);
  }
}

async function countRunning(store: Queries): Promise<number> {
  const table = await store.get<{ name: string | null }>(`SELECT to_regclass('instances')::text AS name`);
  if (table!.name === null) return 0;
  const row = await store.get<{ running: number }>(
    `SELECT COUNT(*) AS running FROM instances WHERE seen_ms >= ${DATABASE_NOW_MS} - ?`,
    LEASE_MS,
  );
  return row!.running;
}

/** Deletes a server that ends. */
async function removeInstance(queries: Queries, id: string): Promise<void> {
  await queries.run(`DELETE FROM instances WHERE id = ?`, id);
}

/** How long another instance's sandbox time may be behind, real time. */
const POLL_EVERY_MS = 1_000;

/** How often a server that has advanced the clock checks whether the others have, real time. */
const CHECK_EVERY_MS = 50;

interface Following {
  instanceId: string;
  offsetMs: number;
}

/**
 * Resolves once each other server that runs has taken over an offset of the sandbox clock, or has had the time to. Until then a
 * request to one of them is handled at an earlier time than the terminals have. Never rejects: the clock is advanced already.
 */
export async function untilOthersFollow(
  services: Pick<Services, 'store' | 'realClock' | 'log'>,
  following: Following,
): Promise<void> {
  try {
    await checkOthers(services, following);
  } catch (thrown) {
    services.log.warn({ reason: messageOf(thrown) }, 'whether other instances follow the clock is not known');
  }
}

async function checkOthers(
  { store, realClock }: Pick<Services, 'store' | 'realClock'>,
  { instanceId, offsetMs }: Following,
): Promise<void> {
  const wantedMs = Math.floor(offsetMs);
  const endMs = realClock.nowMs() + 2 * POLL_EVERY_MS;
  while (realClock.nowMs() < endMs) {
    const row = await store.get<{ behind: number }>(
      `SELECT COUNT(*) AS behind FROM instances
       WHERE id <> ? AND seen_ms >= ? AND COALESCE(clock_offset_ms, ?) < ?`,
      instanceId,
      realClock.nowMs() - LEASE_MS,
      wantedMs - 1,
      wantedMs,
    );
    if (row!.behind === 0) return;
    await delay(realClock, CHECK_EVERY_MS);
  }
}

type Parts = Pick<Services, 'clock' | 'gateway' | 'store'>;

/** Advances the clock of this instance to the latest offset that an instance on the same store has stored. */
export async function syncClock({ clock, gateway, store }: Parts): Promise<void> {
  const offsetMs = await readClockOffset(store);
  if (offsetMs <= clock.offsetMs) return;
  void clock.setOffset(offsetMs);
  // The instance that moved it has published it already. Published here too, so that this instance does not publish
  // an older offset when its link reconnects.
  gateway.publishClock(offsetMs);
}

/**
 * Follows what other instances on the same store do to the sandbox, one clock for all of them, and lets them see that
 * this one runs.
 */
export function watchOtherInstances(
  services: Parts & Pick<Services, 'log'> & { realClock: Clock; instanceId: string },
) {
  const { instanceId, realClock, store } = services;
  const log = createCountedLog({ log: services.log, clock: realClock });
  let timer: Timer | undefined;
  let sync: Promise<void> | undefined;
  let stopped = false;
  let started = false;
  let seenMs = -Infinity;
  let followedMs = -Infinity;

  function wait(): void {
    if (stopped) return;
    timer = after(realClock, POLL_EVERY_MS, () => {
      sync = syncOnce().finally(() => {
        sync = undefined;
        wait();
      });
    });
  }

  async function syncOnce(): Promise<void> {
    try {
      await syncClock(services);
      const nowMs = realClock.nowMs();
      const offsetMs = Math.floor(services.clock.offsetMs);
      if (nowMs - seenMs < RENEW_MS && offsetMs <= followedMs) return;
      await store.transaction((tx) => recordInstance(tx, instanceId, nowMs, offsetMs), { guardedBy: [] });
      seenMs = nowMs;
      followedMs = offsetMs;
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'this server and other instances could not be compared');
    }
  }

  return {
    start(): void {
      started = true;
      wait();
    },
    /** Whether nothing is being compared. */
    idle: () => sync === undefined,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await sync;
      if (!started) return;
      await removeInstance(store, instanceId).catch((thrown: unknown) => {
        log.warn(
          { reason: messageOf(thrown) },
          'other instances take this server for running a while longer',
        );
      });
    },
  };
}
