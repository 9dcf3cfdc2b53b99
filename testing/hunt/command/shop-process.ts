import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { delay, type Clock } from '../../../protocol/clock.ts';
import { killGroup, OWN_GROUP } from '../../../protocol/system/process-group.ts';

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
  /** Ends it at once, with those that it has started. */
  kill(): Promise<void>;
}

const LAST_OUTPUT_CHARACTERS = 2_000;
const OUT_CHARACTERS_MAX = 1_000_000;
// A process that has left its group keeps the streams open.
const STREAMS_MS = 2_000;

const running = new Set<ChildProcess>();
// However this process ends, it leaves none of them behind.
process.on('exit', () => running.forEach(killShop));

/** Starts a command line by the shell of the system. @param env replaces the variables of this process */
export function startShop(
  commandLine: string,
  env: Record<string, string | undefined>,
  clock: Clock,
): ShopProcess {
  const child = spawn(commandLine, {
    shell: true,
    // So that all of it can be killed, and Ctrl-C does not reach it first.
    ...OWN_GROUP,
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
      killShop(child);
      await Promise.race([ended, delay(clock, STREAMS_MS)]);
    },
  };
}

function killShop({ pid }: ChildProcess): void {
  if (pid !== undefined) killGroup(pid);
}

// Below those that systems give to connections: nothing else takes the port between two processes of the shop.
const FIRST = 10_240;
const COUNT = 20_000;
// So that hunts at the same time have ports of their own.
const PORTS_OF_A_HUNT = 32;

/** Returns a port of this machine for the process of a shop: free now, and kept for later starts by nobody else taking it. */
export async function shopPort(job: number): Promise<number> {
  for (let offset = process.pid * PORTS_OF_A_HUNT + job; ; offset += PORTS_OF_A_HUNT) {
    const port = FIRST + (offset % COUNT);
    if (await isFree(port)) return port;
  }
}

/** Returns whether nothing listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a process of a shop listens on its port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** Returns what tells whether a process listens on a port; until one does, each call looks again. */
export function watchPort(port: number): () => boolean {
  let listens = false;
  return () => {
    if (!listens) void isListening(port).then((found) => (listens ||= found));
    return listens;
  };
}
