import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delay, type Clock } from '../../../protocol/clock.ts';

/** A process of the shop, with those that it has started. */
export interface ShopProcess {
  readonly isRunning: boolean;
  /** Exit code; undefined while it runs, null when a signal has ended it. */
  readonly code: number | null | undefined;
  /** Standard output. */
  readonly out: string;
  /** The end of standard output and standard error. */
  readonly lastOutput: string;
  /** Resolves when it has ended and all that it printed was read. */
  readonly ended: Promise<unknown>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
}

const LAST_OUTPUT_CHARACTERS = 2_000;
const OUT_CHARACTERS_MAX = 1_000_000;
// A process that has left its group keeps the streams open.
const STREAMS_MS = 2_000;

const running = new Set<ChildProcess>();
// However this process ends, it leaves none of them behind.
process.on('exit', () => running.forEach(killGroup));

/** Starts a command line by the shell of the system. @param env replaces the variables of this process */
export function startShop(
  commandLine: string,
  env: Record<string, string | undefined>,
  clock: Clock,
): ShopProcess {
  const child = spawn(commandLine, {
    shell: true,
    // A group of its own, so that all of it can be killed, and Ctrl-C does not reach it first.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  running.add(child);
  let out = '';
  let last = '';
  const keep = (text: string) => (last = (last + text).slice(-LAST_OUTPUT_CHARACTERS));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out = (out + text).slice(0, OUT_CHARACTERS_MAX);
    keep(text);
  });
  child.stderr.setEncoding('utf8').on('data', keep);
  let code: number | null | undefined;
  child.once('exit', (ended) => {
    code = ended;
    running.delete(child);
  });
  child.once('error', (thrown) => {
    keep(thrown.message);
    code ??= null;
    running.delete(child);
  });
  const ended = once(child, 'close').catch(() => {});
  return {
    get isRunning() {
      return code === undefined;
    },
    get code() {
      return code;
    },
    get out() {
      return out;
    },
    get lastOutput() {
      return last;
    },
    ended,
    async kill() {
      killGroup(child);
      await Promise.race([ended, delay(clock, STREAMS_MS)]);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
