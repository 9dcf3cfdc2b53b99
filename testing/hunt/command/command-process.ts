import { delay, type Clock } from '../../../protocol/clock.ts';
import type { World } from '../../world/world.ts';
import type { IntegratorFault } from '../hunted-fault.ts';
import { createIntegrator } from '../integrator.ts';
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
  /** Number of its requests, in all its starts. */
  readonly requests: number;
  /** That of its last start; undefined before the first. */
  readonly last: ShopProcess | undefined;
  /** Starts it, and once more when one of the faults has stopped it. */
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
  let integrator = createIntegrator(environment, []);
  let last: ShopProcess | undefined;
  let requestsBefore = 0;
  let isDown = false;
  let isClosed = false;
  const send = story.recordCalls((input, init) => integrator.fetch(input, init), false, name);
  const port = await openSandboxPort((path, init) => send(urlOf(path), init));

  async function startAgain({ downMs = 0 }: IntegratorFault, env: Record<string, string | undefined>) {
    isDown = true;
    // One that listened has not begun again before it listens again.
    const listened = listensOn !== undefined && (await isListening(listensOn));
    const isBack = listened ? watchPort(listensOn) : () => true;
    await last!.kill();
    await delay(real, downMs / speed);
    // Nobody would end it.
    if (isClosed || over?.aborted) return;
    requestsBefore += integrator.requests();
    integrator = createIntegrator(environment, []);
    last = startShop(command, env, real);
    while (!isBack() && last.isRunning) await delay(real, POLL_MS);
    isDown = false;
  }

  return {
    name,
    port,
    get isRunning() {
      return isDown || (last?.isRunning ?? false);
    },
    get isDown() {
      return isDown;
    },
    get requests() {
      return requestsBefore + integrator.requests();
    },
    get last() {
      return last;
    },
    start(env, stops) {
      over?.throwIfAborted();
      const own = { ...env, TAPBENCH_URL: port.url };
      const mine = stops.filter(({ process }) => process === name);
      integrator = createIntegrator(environment, mine, { onStop });
      void integrator.stopped.then((fault) => startAgain(fault, own));
      last = startShop(command, own, real);
    },
    async close() {
      isClosed = true;
      await last?.kill();
      await port.close();
    },
  };
}

/** How often it is asked whether a process that was started again listens. */
const POLL_MS = 10;
