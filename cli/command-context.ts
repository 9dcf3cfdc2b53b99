import type { Clock } from '../protocol/clock.ts';
import type { Random } from '../protocol/ids.ts';
import type { Keyboard } from './keyboard.ts';

/** The size of a screen that a person reads along on. */
export interface Display {
  /** In characters. */
  size(): { columns: number; rows: number };
  /** Returns how to stop. */
  onResize(listener: () => void): () => void;
}

/** Standard output or standard error, as a command sees it. */
export interface Sink {
  write(text: string): void;
  /** A person reads along: lines may be rewritten. */
  isTerminal: boolean;
  colours: boolean;
  /** Of a terminal. */
  display?: Display;
}

/** What surrounds a command. cli/process-main.ts takes it from the process, a test makes its own. */
export interface CommandContext {
  env: Record<string, string | undefined>;
  /** Results, and nothing else. */
  out: Sink;
  /** Progress, hints and refusals. */
  err: Sink;
  /** What the person types while a command runs. */
  keyboard: Keyboard;
  fetch: typeof fetch;
  /** Opens an address in the person's browser. Resolves with false when there is none. */
  openBrowser(url: string): Promise<boolean>;
  clock: Clock;
  random: Random;
  /** Aborted when the person, or the system, asks the command to stop. */
  interrupted: AbortSignal;
}

/** Resolves when the command is asked to stop. */
export function untilInterrupted({ interrupted }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The same surroundings for what has to be done although the command is being stopped. */
export function uninterrupted(context: CommandContext): CommandContext {
  return { ...context, interrupted: new AbortController().signal };
}
