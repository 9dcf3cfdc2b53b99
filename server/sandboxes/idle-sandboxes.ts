import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { createCountedLog, type Log } from '../../protocol/log.ts';
import type { SandboxEntry } from './open-sandbox.ts';

const CHECK_MS_MAX = 30_000;

// One that has something to do so soon is not worth closing.
const SLEEP_MS_MIN = 10_000;

// Until one that could not be opened is opened again.
const RETRY_MS = 60_000;

interface IdleParts {
  entries(): SandboxEntry[];
  /** Time without use after which a sandbox is closed, real time; undefined for never. */
  sleepAfterMs: number | undefined;
  realClock: Clock;
  log: Log;
}

/** Closes idle sandboxes, and opens those in which something is due. */
interface IdleSandboxes {
  start(): void;
  /** Takes note of when a closed sandbox has to be opened. */
  schedule(entry: SandboxEntry): void;
  /** Closes those now that may sleep. */
  check(): Promise<void>;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

export function createIdleSandboxes({ entries, sleepAfterMs, realClock, log }: IdleParts): IdleSandboxes {
  const wakes = createAlarm(realClock, wakeDue);
  const countedLog = createCountedLog({ log, clock: realClock });
  let timer: Timer | undefined;
  let working: Promise<void> = Promise.resolve();
  let stopped = false;

  async function wakeDue(): Promise<void> {
    const nowMs = realClock.nowMs();
    for (const entry of entries()) {
      if (stopped || entry.opened || (wakeMsOf(entry) ?? Infinity) > nowMs) continue;
      await entry.open().catch((thrown: unknown) => {
        report(entry, thrown, 'opened');
        entry.record.wakeMs = realClock.nowMs() + RETRY_MS;
      });
    }
    for (const entry of entries()) if (!entry.opened) schedule(entry);
  }

  function schedule(entry: SandboxEntry): void {
    const wakeMs = wakeMsOf(entry);
    if (wakeMs !== undefined && !stopped) wakes.set(wakeMs);
  }

  async function check(): Promise<void> {
    for (const entry of entries()) {
      if (stopped || !isIdle(entry)) continue;
      const maySleep = ({ wakeMs }: { wakeMs: number | null }) =>
        isIdle(entry) && (wakeMs ?? Infinity) - realClock.nowMs() >= SLEEP_MS_MIN;
      await entry.sleep(maySleep).catch((thrown: unknown) => report(entry, thrown, 'closed'));
      if (entry.opened) continue;
      log.debug({ sandbox: entry.record.name }, 'an idle sandbox was closed');
      schedule(entry);
    }
  }

  function isIdle({ opened, openedMs, record }: SandboxEntry): boolean {
    if (!opened || sleepAfterMs === undefined) return false;
    return realClock.nowMs() - Math.max(openedMs, record.usedMs) >= sleepAfterMs;
  }

  function report({ record: { name } }: SandboxEntry, thrown: unknown, what: string): void {
    countedLog.error(
      { sandbox: name, problem: messageOf(thrown) },
      `an idle sandbox could not be ${what}`,
      name,
    );
  }

  function wait(): void {
    if (sleepAfterMs === undefined || stopped) return;
    timer = after(realClock, Math.min(sleepAfterMs, CHECK_MS_MAX), () => {
      wait();
      working = working.then(check);
    });
  }

  return {
    start: wait,
    schedule,
    check,
    async stop() {
      stopped = true;
      timer?.cancel();
      await Promise.all([working, wakes.stop()]);
    },
  };
}

function wakeMsOf({ record }: SandboxEntry): number | undefined {
  return record.wakeMs ?? undefined;
}

/** A timer for the earliest of the instants that are set. */
function createAlarm(clock: Clock, run: () => Promise<void>) {
  let timer: Timer | undefined;
  let earliestMs = Infinity;
  let running: Promise<void> = Promise.resolve();
  return {
    set(atMs: number): void {
      if (atMs >= earliestMs) return;
      timer?.cancel();
      earliestMs = atMs;
      timer = clock.at(atMs, () => {
        earliestMs = Infinity;
        running = running.then(run);
      });
    },
    async stop(): Promise<void> {
      timer?.cancel();
      await running;
    },
  };
}
