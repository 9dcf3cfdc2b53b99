import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { createCountedLog } from '../../../protocol/log.ts';
import { LEASE_MS } from '../instance-lease.ts';
import type { Services } from '../services.ts';
import { parseJson, type JsonText } from '../store/json-text.ts';
import type { Row, Transaction } from '../store/store.ts';

/** How soon other servers count the requests that passed here, real time. */
const EXCHANGE_MS = 200;
/** The same while this server is the only one. */
const ALONE_MS = 1_000;

type Counts = Readonly<Record<string, number>>;

interface CountsRow extends Row {
  id: string;
  passed: JsonText<Counts> | null;
}

interface Parts extends Pick<Services, 'log' | 'rateLimits' | 'store'> {
  realClock: Clock;
  instanceId: string;
}

/**
 * Makes the rate limits hold for the servers on a store together. While requests pass, each writes how many have passed
 * at it, and counts those of the others; no request waits for that. So as many as one server lets through at once can
 * pass at each of them at first, and fewer afterwards.
 */
export function shareRateLimits({ instanceId, log, rateLimits, realClock, store }: Parts) {
  const countedLog = createCountedLog({ log, clock: realClock });
  const increases = createIncreases();
  let written = '';
  let timer: Timer | undefined;
  let exchange: Promise<void> | undefined;
  let exchangedMs = -Infinity;
  let pauseMs = ALONE_MS;
  let stopped = true;

  function exchangeSoon(): void {
    if (stopped || timer || exchange) return;
    const waitMs = Math.max(0, exchangedMs + pauseMs - realClock.nowMs());
    timer = after(realClock, waitMs, () => {
      timer = undefined;
      exchange = exchangeOrLog().then((hasNew) => {
        exchange = undefined;
        // Two servers that exchange at the same time may each miss what the other wrote.
        if (hasNew) exchangeSoon();
      });
    });
  }

  /** Returns whether there were new counts, here or elsewhere. */
  async function exchangeOrLog(): Promise<boolean> {
    exchangedMs = realClock.nowMs();
    pauseMs = ALONE_MS;
    try {
      const others = await readOthers();
      if (others.length > 0) pauseMs = EXCHANGE_MS;
      const elsewhere = increases(others);
      rateLimits.countElsewhere(elsewhere);
      const hasWritten = others.length > 0 && (await writeOwn());
      return hasWritten || elsewhere.size > 0;
    } catch (thrown) {
      countedLog.warn({ reason: messageOf(thrown) }, 'requests at other servers were not counted');
      return true;
    }
  }

  function readOthers(): Promise<CountsRow[]> {
    return store.all<CountsRow>(
      'SELECT id, passed FROM instances WHERE id <> ? AND seen_ms >= ?',
      instanceId,
      realClock.nowMs() - LEASE_MS,
    );
  }

  /** Returns whether there was something new to write. */
  async function writeOwn(): Promise<boolean> {
    const counts = JSON.stringify(rateLimits.passed());
    if (counts === written) return false;
    const write = (tx: Transaction) =>
      tx.run('UPDATE instances SET passed = ? WHERE id = ?', counts, instanceId);
    await store.transaction(write, { guardedBy: [], delayedDurability: true });
    written = counts;
    return true;
  }

  rateLimits.onPassed(exchangeSoon);
  return {
    start(): void {
      stopped = false;
      exchangeSoon();
    },
    idle: () => exchange === undefined,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await exchange;
    },
  };
}

/** Returns a function that tells by how much the counts of other servers have increased since the call before, together. */
function createIncreases() {
  let seen = new Map<string, Counts>();
  return (others: readonly CountsRow[]): ReadonlyMap<string, number> => {
    const increases = new Map<string, number>();
    const now = new Map(others.map(({ id, passed }) => [id, passed === null ? {} : parseJson(passed)]));
    for (const [server, counts] of now) {
      // What a server that is new here has counted before may be long ago.
      const before = seen.get(server) ?? counts;
      for (const [id, count] of Object.entries(counts)) {
        const increase = count - (before[id] ?? 0);
        if (increase > 0) increases.set(id, (increases.get(id) ?? 0) + increase);
      }
    }
    seen = now;
    return increases;
  };
}
