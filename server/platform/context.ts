import type { Ids } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { DomainEvents } from './domain-events.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import type { Store } from './store/store.ts';

/** What work on the objects of a sandbox needs. What more a function needs, its parameters name. */
export interface Context {
  store: Store;
  /** Sandbox time: everything the API can see. */
  clock: SandboxClock;
  ids: Ids;
  jobs: Scheduler;
  /** What areas raise for others, in the transaction that causes it. */
  events: DomainEvents;
  log: Log;
}
