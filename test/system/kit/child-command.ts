import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { waitFor } from './wait-for.ts';

/** The command as `npm run build` made it. */
export const MAIN = join(import.meta.dirname, '../../../dist/cli/main.js');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A process of ours. */
export interface Child {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly running: boolean;
  readonly ended: Promise<Ended>;
  /** Waits until the lines of standard output match, and returns the match. @throws when the process ends before */
  prints(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal and resolves when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface ChildOptions {
  /** Added to PATH and HOME; no other variable of the test run is passed on. */
  env?: Record<string, string>;
  cwd?: string;
  /** Written to its standard input, which ends with it; it is empty by default. */
  input?: string | Readable;
}

// A worker that is ended in the middle of a test leaves nothing behind.
const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

/** Starts a program. */
export function startProgram(program: string, args: string[], options: ChildOptions = {}): Child {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...options.env };
  const started = spawn(program, args, { env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  // A program that ends without reading it closes it.
  started.stdin.on('error', () => {});
  const { input = '' } = options;
  if (typeof input === 'string') started.stdin.end(input);
  else input.pipe(started.stdin);
  return watch(started, [program, ...args].join(' '));
}

/** Starts `tapbench` with these words. */
export function startCommand(args: string[], options?: ChildOptions): Child {
  return startProgram(process.execPath, [MAIN, ...args], options);
}

function watch(started: ChildProcess, line: string): Child {
  let stdout = '';
  let stderr = '';
  let running = true;
  let closed = false;
  // By characters: one that comes in two pieces stays whole.
  started.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  started.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    started.once('error', reject);
    // `close` and not `exit`: by then all that was printed has been read.
    started.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  started.once('exit', () => (running = false));
  // What it printed last may be read after its exit.
  started.once('close', () => (closed = true));
  // Nobody may be waiting for it when it cannot be started at all.
  ended.catch(() => {
    running = false;
    closed = true;
  });
  alive.add(started);
  ended.finally(() => alive.delete(started)).catch(() => {});
  return {
    pid: started.pid!,
    ended,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get running() {
      return running;
    },
    prints(pattern, withinMs) {
      const printed = () => {
        // The end of a line may still be on its way.
        const found = pattern.exec(stdout.slice(0, stdout.lastIndexOf('\n') + 1));
        if (!found && closed)
          throw new Error(`${line} ended before it printed ${String(pattern)}: ${stderr}`);
        return found;
      };
      return waitFor(`${line} to print ${String(pattern)}`, printed, withinMs);
    },
    kill(signal = 'SIGKILL') {
      if (running) started.kill(signal);
      return ended;
    },
  };
}
