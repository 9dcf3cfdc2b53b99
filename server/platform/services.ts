import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { ClockAdvances } from './clock-advances.ts';
import type { Context } from './context.ts';
import type { SerialQueue } from '../../protocol/serial-queue.ts';
import type { FaultPlans } from './faults/fault-plans.ts';
import type { ProgramHooks } from './program-hooks.ts';
import type { Simulation } from './simulation.ts';
import type { Activities } from './activities.ts';
import type { Observers } from './observers.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RequestLog } from './finished-request.ts';
import type { ServerSettings } from './settings.ts';
import type { Outgoing } from './outgoing.ts';
import type { Gateway } from './gateway.ts';
import type { Inputs } from './inputs.ts';

/** Names in the machine of simulated terminals, which faults can ask for. */
export interface TerminalMachineNames {
  /** Paths of states, and parts of these. */
  states: readonly string[];
  effects: readonly string[];
  /** What each does, in a sentence; a state within another by the last part of its path. */
  texts: { states: Readonly<Record<string, string>>; effects: Readonly<Record<string, string>> };
}

/** What every part of the server is handed. Made by `createServices` (server/create-services.ts), complete. */
export interface Services extends Context {
  settings: ServerSettings;
  accounts: AccountDirectory;
  clockAdvances: ClockAdvances;
  /** Wall time: rate limits and network timeouts. */
  realClock: Clock;
  random: Random;
  gateway: Gateway;
  outgoing: Outgoing;
  rateLimits: RateLimits;
  activities: Activities;
  /** Calls what only observes, and reports what it throws. */
  observers: Observers;
  /** What reaches the sandbox from outside, unmasked, for its recordings. */
  inputs: Inputs;
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
  /** What the program that runs the server does for it. */
  program: ProgramHooks;
  /** The faults of the sandbox; none with live keys. */
  faults: FaultPlans | undefined;
  /** Kills the server, where the program that runs it opens it again on its store. */
  killServer?: () => void;
}
