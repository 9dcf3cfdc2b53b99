import { SystemClock } from '../protocol/clock.ts';
import { systemRandom } from '../protocol/ids.ts';
import { openBrowser } from '../protocol/system/open-browser.ts';
import { onStopSignal } from '../protocol/system/stop-signals.ts';
import { VERSION } from '../protocol/version.ts';
import { EXIT } from './command-line/command.ts';
import { starterOf, startDetached, type Starter } from './process/detached-process.ts';
import { keyboardOf } from './process/keyboard.ts';
import { runProgram } from './program.ts';
import type { CommandContext, Display, Sink } from './command-line/command-context.ts';

// The longest of a timer.
const LONGEST_MS = 2 ** 31 - 1;

/** The first signal, or the end of npm's shell, aborts `signal`; a second signal exits at once. */
function stopOnSignals(starter: Starter | undefined): { signal: AbortSignal; stop(): void } {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('interrupted'));
  const stop = () => {
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupt();
  };
  onStopSignal(stop);
  // Control-C ends the shell as well, while this process stops. A detached one goes on without it.
  if (!starter)
    onNpmShellEnded({ env: process.env, parentPid: () => process.ppid, every: repeat }, interrupt);
  return { signal: interrupted.signal, stop };
}

/** A signal that is awaited keeps no process running; a timer does. */
function createKeepRunning(): { keepRunning: CommandContext['keepRunning']; release(): void } {
  const timers = new Set<NodeJS.Timeout>();
  const clear = (timer: NodeJS.Timeout) => {
    clearInterval(timer);
    timers.delete(timer);
  };
  return {
    keepRunning() {
      const timer = setInterval(() => {}, LONGEST_MS);
      timers.add(timer);
      return () => clear(timer);
    },
    release: () => timers.forEach(clear),
  };
}

/** Calls `run` at an interval, which does not keep the process running. */
function repeat(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs).unref();
  return () => clearInterval(timer);
}

/** @param onError called with each error of the stream, such as that of a full disk */
function sinkOf(stream: NodeJS.WriteStream, onError: (error: NodeJS.ErrnoException) => void): Sink {
  stream.on('error', onError);
  const isTerminal = stream.isTTY === true;
  // https://no-color.org: any value except the empty one.
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    colours: isTerminal && !process.env['NO_COLOR'],
    ...(isTerminal && { display: displayOf(stream) }),
  };
}

function displayOf(stream: NodeJS.WriteStream): Display {
  return {
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    onResize(listener) {
      stream.on('resize', listener);
      return () => stream.off('resize', listener);
    },
  };
}

/** Returns a sink that also passes what is written to the command that started this process. */
function tee(sink: Sink, starter: Starter | undefined): Sink {
  if (!starter) return sink;
  return {
    ...sink,
    write(text) {
      sink.write(text);
      starter.error(text);
    },
  };
}

/** Returns the sink of standard output, and whether something could not be written to it. */
function standardOutput(err: Sink) {
  let hasFailed = false;
  let isClosed = false;
  let isJudging = false;
  // A verdict that cannot be written says nothing of what was judged.
  const lostCode = () => (isJudging ? EXIT.notJudged : EXIT.failed);
  const out = sinkOf(process.stdout, ({ code, message }) => {
    isClosed ||= code === 'EPIPE';
    // The reader of a pipe has closed it, as `| head` does. What judges goes on: its exit code is its verdict.
    if (isClosed && isJudging) return;
    if (isClosed) process.exit(EXIT.ok);
    if (!hasFailed) err.write(`tapbench: standard output cannot be written: ${message}\n`);
    // A server goes on without what it prints; a command whose result is lost has failed.
    hasFailed = true;
    // The command may have ended before.
    if (process.exitCode === EXIT.ok) process.exitCode = lostCode();
  });
  return { out, hasFailed: () => hasFailed, lostCode, onJudge: () => void (isJudging = true) };
}

/**
 * Runs the command line of this process.
 * @param importModule imports an ES module, which code of the compile cache cannot
 */
export function runProcess(importModule: CommandContext['importModule']): void {
  const clock = new SystemClock();
  const starter = starterOf(process);
  const stopping = stopOnSignals(starter);
  const running = createKeepRunning();
  // A command that never ends, with nothing left to wait for, has failed.
  process.exitCode = EXIT.failed;
  // What a command logs is lost where it cannot be written, and ends nothing.
  const err = tee(
    sinkOf(process.stderr, () => undefined),
    starter,
  );
  const { out, hasFailed, lostCode, onJudge } = standardOutput(err);
  let hasImported = false;
  const ended = runProgram(
    process.argv.slice(2),
    {
      env: process.env,
      out,
      err,
      onJudge,
      keyboard: keyboardOf(process.stdin, stopping.stop),
      streams: { input: process.stdin, output: process.stdout },
      fetch: (...request) => fetch(...request),
      importModule(specifier) {
        hasImported = true;
        return importModule(specifier);
      },
      startDetached: (parts) => startDetached(process, parts),
      starter,
      openBrowser: (url) => openBrowser(url, { env: process.env, clock }),
      clock,
      random: systemRandom,
      keepRunning: running.keepRunning,
      interrupted: stopping.signal,
    },
    VERSION,
  );
  void ended.then((code) => {
    process.exitCode = code === EXIT.ok && hasFailed() ? lostCode() : code;
    // A command may end for another reason than the signal that it waits for.
    running.release();
    // What an imported module keeps open, such as a connection to its database, would keep this process running.
    if (hasImported) process.stdout.write('', () => process.exit());
  });
}

/** The command lines with which npm runs this program alone, with `npm start`, `npx` or a script of another project. */
const RUNS_TAPBENCH = /^(node scripts\/start\.mjs|["']?tapbench["']?)( [^&|;]*)?$/;

const POLL_INTERVAL_MS = 250;

interface ParentProcess {
  env: Record<string, string | undefined>;
  /** Returns the id of the parent, which changes when it ends. */
  parentPid(): number;
  /** Calls `run` each time that the interval has passed, until the returned function is called. */
  every(intervalMs: number, run: () => void): () => void;
}

/**
 * Calls `ended` when the shell in which npm runs this program has ended. npm passes SIGTERM on to that shell, and the
 * shell ends without its child. Does nothing when npm does not run this program.
 */
export function onNpmShellEnded({ env, parentPid, every }: ParentProcess, ended: () => void): void {
  if (!RUNS_TAPBENCH.test(env['npm_lifecycle_script'] ?? '')) return;
  const shellPid = parentPid();
  const stop = every(POLL_INTERVAL_MS, () => {
    if (parentPid() === shellPid) return;
    stop();
    ended();
  });
}
