import type { Clock } from '../../protocol/clock.ts';
import type { Ids, Random } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { ClockAdvances } from './clock-advances.ts';
import type { SerialQueue } from '../../protocol/serial-queue.ts';
import type { DomainEvents } from './domain-events.ts';
import type { Simulation } from './simulation.ts';
import type { Notices } from './notices.ts';
import type { Observers } from './observers.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RequestLog } from './finished-request.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { Jobs } from './scheduler/jobs.ts';
import type { Store } from './store/store.ts';
import type { ServerSettings } from './settings.ts';
import type { Outgoing } from './outgoing.ts';
import type { Gateway } from './gateway.ts';
import type { Traffic } from './traffic.ts';

/** Names in the machine of simulated terminals, which faults can ask for. */
export interface TerminalMachineNames {
  /** Paths of states, and parts of these. */
  states: readonly string[];
  effects: readonly string[];
}

/** What every part of the server is handed. Made once, in server/app.ts. */
export interface Services {
  settings: ServerSettings;
  accounts: AccountDirectory;
  /** Sandbox time: everything the API can see. */
  clock: SandboxClock;
  clockAdvances: ClockAdvances;
  /** Wall time: rate limits and network timeouts. */
  realClock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  store: Store;
  jobs: Jobs;
  gateway: Gateway;
  outgoing: Outgoing;
  rateLimits: RateLimits;
  domainEvents: DomainEvents;
  notices: Notices;
  /** Calls what only observes, and reports what it throws. */
  observers: Observers;
  /** What reaches the sandbox from outside, unmasked, for its recordings. */
  traffic: Traffic;
  /** Stores requests with their replies, where the settings say so. */
  requestLog?: RequestLog | undefined;
  /** Acts on the world around simulated terminals. */
  simulation: Simulation;
  terminalMachine: TerminalMachineNames;
  /** Last state that the machine of each terminal reported to this process, by terminal id. */
  terminalStates: ReadonlyMap<string, string>;
  /** Why the store cannot be written to, or undefined; costs one write a second at most. */
  storeProblem: () => Promise<string | undefined>;
  /** Resets of the sandbox, one at a time: each deletes what the one before it recreates. */
  resets: SerialQueue;
  /** Makes again, after a reset of the sandbox, what the program that runs the server made at its start. */
  afterReset?: () => Promise<void>;
  /** Kills the server, where the program that runs it opens it again on its store. */
  killServer?: () => void;
  /** Exports the simulated terminals of the program that runs the server as they stand, as JSON, for a fork. */
  exportTerminals?: () => Promise<unknown>;
}
