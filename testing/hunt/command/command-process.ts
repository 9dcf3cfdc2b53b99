import { delay, type Clock } from '../../../protocol/clock.ts';
import type { World } from '../../world/world.ts';
import type { IntegratorFault } from '../hunted-fault.ts';
import { createIntegrator, NO_STOPS, type StopCounts } from '../integrator.ts';
import type { Recovery } from '../processes.ts';
import type { StoryRecording } from '../story/record-story.ts';
import { openSandboxPort, type SandboxPort } from './sandbox-port.ts';
import { isListening, startShop, watchPort, type ShopProcess } from './shop-process.ts';

/** A process of the integrator, which faults stop for itself, with its own way to the sandbox. */
export interface CommandProcess {
  /** Name of one beside the shop; undefined for the shop. */
  readonly name: string | undefined;
  readonly port: SandboxPort;
  /** Whether it runs, or is started again. */
  readonly isRunning: boolean;
  /** Whether it was stopped, and has not begun again yet. */
  readonly isDown: boolean;
  /** Whether it runs and has sent nothing yet since its start, of which it says nothing else: it may start later than the others are done. */
  readonly isStarting: boolean;
  /** Number of its requests, in all its starts. */
  readonly requests: number;
  /** That of its last start; undefined before the first. */
  readonly last: ShopProcess | undefined;
  /** What it did since it was started again, the last time; undefined where it was not. */
  readonly recovery: Recovery | undefined;
  /** Starts it, and again each time that one of the faults has stopped it. */
  start(env: Record<string, string | undefined>, stops: readonly IntegratorFault[]): void;
  close(): Promise<void>;
}

interface ProcessLine {
  name: string | undefined;
  /** Command line that starts it. */
  command: string;
  /** The port on which it listens, if it does; undefined where that is of no interest. */
  listensOn: number | undefined;
}

export interface ProcessParts {
  fork: World;
  real: Clock;
  speed: number;
  /** When it is aborted, nothing is started any more. */
  over: AbortSignal | undefined;
  story: Pick<StoryRecording, 'recordCalls'>;
  /** Returns the URL of a path at the sandbox. */
  urlOf(path: string): string;
  onStop(fault: IntegratorFault): void;
}

export async function openCommandProcess(
  { name, command, listensOn }: ProcessLine,
  { fork, real, speed, over, story, urlOf, onStop }: ProcessParts,
): Promise<CommandProcess> {
  const environment = { fetch: fork.fetch, sleep: (ms: number) => delay(real, ms) };
  const counts: StopCounts = { ...NO_STOPS };
  let integrator = createIntegrator(environment, []);
  let last: ShopProcess | undefined;
  let recovery: Recovery | undefined;
  /** How many stops it has not begun again from. */
  let down = 0;
  let isClosed = false;
  /** Its start, where it is waited for until it sends something. */
  let awaited: { requests: number; endMs: number } | undefined;
  const send = story.recordCalls((input, init) => integrator.fetch(input, init), false, name);
  const port = await openSandboxPort((path, init) => send(urlOf(path), init));

  type Env = Record<string, string | undefined>;
  /** Starts it, with faults whose numbers go on over all its starts. */
  function begin(env: Env, stops: readonly IntegratorFault[], isAwaited: boolean): ShopProcess {
    awaited = isAwaited ? { requests: counts.request, endMs: real.nowMs() + START_MS_MAX } : undefined;
    integrator = createIntegrator(environment, stops, { onStop, counts });
    void integrator.stopped.then((fault) => startAgain(fault, env, stops));
    return (last = startShop(command, env, real));
  }

  async function startAgain({ downMs = 0 }: IntegratorFault, env: Env, stops: readonly IntegratorFault[]) {
    down += 1;
    // One that listened has not begun again before it listens again.
    const listened = listensOn !== undefined && (await isListening(listensOn));
    const isBack = listened ? watchPort(listensOn) : () => true;
    await last!.kill();
    await delay(real, downMs / speed);
    // Nobody would end it.
    if (isClosed || over?.aborted) return;
    recovery = { process: name, before: { ...counts }, counts, happened: [] };
    const begun = begin(env, stops, !listened);
    while (!isBack() && begun.isRunning) await delay(real, POLL_MS);
    down -= 1;
  }

  return {
    name,
    port,
    get isRunning() {
      return down > 0 || (last?.isRunning ?? false);
    },
    get isDown() {
      return down > 0;
    },
    get isStarting() {
      if (!awaited || !last?.isRunning) return false;
      return counts.request === awaited.requests && real.nowMs() < awaited.endMs;
    },
    get requests() {
      return counts.request;
    },
    get last() {
      return last;
    },
    get recovery() {
      return recovery;
    },
    start(env, stops) {
      over?.throwIfAborted();
      const mine = stops.filter(({ process }) => process === name);
      // A shop may wait for what is posted to it.
      begin({ ...env, TAPBENCH_URL: port.url }, mine, listensOn === undefined);
    },
    async close() {
      isClosed = true;
      await last?.kill();
      await port.close();
    },
  };
}

/** How long a process is waited for that has sent nothing since its start. */
const START_MS_MAX = 5_000;

/** How often it is asked whether a process that was started again listens. */
const POLL_MS = 10;
