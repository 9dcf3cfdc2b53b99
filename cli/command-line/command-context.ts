import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { DetachedOutcome, DetachedProcess, Starter } from '../process/detached-process.ts';
import type { Keyboard } from '../process/keyboard.ts';

/** A terminal's screen. */
export interface Display {
  /** In characters. */
  size(): { columns: number; rows: number };
  /** Returns a function that removes the listener. */
  onResize(listener: () => void): () => void;
}

/** Standard output or standard error. */
export interface Sink {
  write(text: string): void;
  /** Writes an escape sequence of the program itself, which `write` would replace. */
  control?(sequence: string): void;
  /** Whether it is a terminal: lines may be rewritten. */
  isTerminal: boolean;
  colours: boolean;
  /** Undefined when it is not a terminal. */
  display?: Display;
}

/**
 * Everything a command takes from its process: environment, streams, clock. cli/process-main.ts creates it, a test
 * makes its own.
 */
export interface CommandContext {
  env: Record<string, string | undefined>;
  /** Results only. */
  out: Sink;
  /** Progress, hints and errors. */
  err: Sink;
  /** Called when the command that runs is one that judges. */
  onJudge?: () => void;
  /** Keyboard input while the command runs. */
  keyboard: Keyboard;
  /** Standard input and output, for a command that speaks a protocol over them. */
  streams: { input: Readable; output: Writable };
  fetch: typeof fetch;
  /** Imports an ES module: a file by its URL, or an export of this package. */
  importModule(specifier: string): Promise<unknown>;
  /** Opens a URL in the default browser. Resolves with false when there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Runs the command line of this process again, in one that goes on when this one has ended. */
  startDetached(parts: DetachedProcess): Promise<DetachedOutcome>;
  /** Undefined unless a command has started this process by `startDetached`. */
  starter?: Starter | undefined;
  clock: Clock;
  random: Random;
  /** Keeps the process running, which ends when there is nothing to wait for, until the returned function is called. */
  keepRunning(): () => void;
  /** Aborted by SIGINT, SIGTERM or Control-C. */
  interrupted: AbortSignal;
}

/** Resolves when the command is interrupted. Until then the process runs, also when nothing else keeps it running. */
export function untilInterrupted({
  interrupted,
  keepRunning,
}: Pick<CommandContext, 'interrupted' | 'keepRunning'>): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) return resolve();
    const release = keepRunning();
    const end = () => {
      release();
      resolve();
    };
    interrupted.addEventListener('abort', end, { once: true });
  });
}

/** Returns the same context with a signal that is never aborted, for cleanup. */
export function uninterrupted(context: CommandContext): CommandContext {
  return { ...context, interrupted: new AbortController().signal };
}
