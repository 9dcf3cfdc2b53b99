import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { expiryOf, type SandboxRecord } from './sandbox-record.schema.ts';

const CHECK_MS = 60_000;

interface ExpiryParts {
  /** Returns the records, with the times of last use on all servers. */
  records(): Promise<SandboxRecord[]>;
  remove(name: string): Promise<void>;
  realClock: Clock;
  log: Log;
}

/** Deletes sandboxes that were not used for as long as they ask for, now and each minute of real time. */
export function createExpiry({ records, remove, realClock, log }: ExpiryParts) {
  let timer: Timer | undefined;

  async function removeExpired(): Promise<void> {
    const nowMs = realClock.nowMs();
    for (const record of await records()) {
      if ((expiryOf(record) ?? Infinity) > nowMs) continue;
      log.info({ sandbox: record.name }, 'a sandbox expired');
      await remove(record.name).catch((thrown: unknown) =>
        log.error({ sandbox: record.name, problem: messageOf(thrown) }, 'an expired sandbox was not deleted'),
      );
    }
  }

  async function run(): Promise<void> {
    await removeExpired();
    timer = after(realClock, CHECK_MS, () => void run());
  }

  return { start: run, stop: () => timer?.cancel() };
}
