import { delay, type Clock } from '../../../protocol/clock.ts';
import { listActionsInProgress } from '../../../server/api/in-person/actions/action.records.ts';
import { turn } from '../../../world/virtual-clock.ts';
import type { World } from '../../world/world.ts';
import type { SandboxPort } from './sandbox-port.ts';

interface QuietParts {
  fork: World;
  port: Pick<SandboxPort, 'open' | 'passed'>;
  real: Clock;
  /** How long nothing happens at a process that has nothing left to do. */
  quietMs: number;
  /** When it is aborted, nothing is waited for any more. */
  over: AbortSignal | undefined;
}

/** How long a process is waited for. */
interface Patience {
  endMs: number;
  goesOn(): boolean;
  waits?(): boolean;
}

// Longer than an endpoint may take to respond, also to a slow body.
const SETTLE_MS_MAX = 25_000;
const QUIET_TURNS = 30;
const POLL_MS = 10;
const ANSWER_MS_MAX = 1_000;

/** Creates what waits in real time until a world, and the process that uses it, have nothing left to do. */
export function createQuiet({ fork, port, real, quietMs, over }: QuietParts) {
  // Of the server that runs now: a fault may have killed the one before.
  const services = () => fork.server.services;
  const isBusy = () => !fork.server.idle() || port.open > services().faults!.heldCalls();

  // Not over the API, where faults strike. A server that is killed meanwhile never answers.
  const isTerminalBusy = () =>
    Promise.race([
      listActionsInProgress(services().store).then(({ length }) => length > 0),
      delay(real, ANSWER_MS_MAX).then(() => true),
    ]);

  return {
    /** Resolves when what is under way has ended: requests, deliveries, messages. */
    async settled(): Promise<void> {
      const endMs = real.nowMs() + SETTLE_MS_MAX;
      for (let quiet = 0; quiet < QUIET_TURNS && real.nowMs() < endMs && !over?.aborted;) {
        quiet = isBusy() ? 0 : quiet + 1;
        await (quiet === 0 ? delay(real, 1) : turn());
      }
    },
    /**
     * Resolves when a process sends nothing more while no terminal has an action, or when `goesOn` returns false.
     * @param waits whether something else is awaited
     * @throws the reason of `over` when it is aborted
     */
    async until({ endMs, goesOn, waits }: Patience): Promise<void> {
      let passed = -1;
      let sinceMs = real.nowMs();
      while (real.nowMs() < endMs && goesOn()) {
        over?.throwIfAborted();
        await delay(real, POLL_MS);
        if (passed !== port.passed || port.open > 0 || isBusy() || waits?.()) sinceMs = real.nowMs();
        passed = port.passed;
        if (real.nowMs() - sinceMs >= quietMs && !(await isTerminalBusy())) return;
      }
    },
  };
}
