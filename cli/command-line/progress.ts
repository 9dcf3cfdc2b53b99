import { after, type Timer } from '../../protocol/clock.ts';
import type { CommandContext } from './command-context.ts';
import { CLEAR_LINE, writeControl, sanitizeText } from './output.ts';

interface Progress {
  /** Changes the text. */
  show(text: string): void;
  end(): void;
}

// Nothing is shown for what takes less than this.
const QUIET_MS = 1000;
const TERMINAL_EVERY_MS = 1000;
// Less often into a file, so that it does not fill up.
const FILE_EVERY_MS = 10_000;

/**
 * Shows on standard error what a command is doing, once it has taken a second: on a terminal one line that counts the
 * seconds, elsewhere a line every ten seconds.
 */
export function startProgress(context: Pick<CommandContext, 'clock' | 'err'>, first: string): Progress {
  const { clock, err } = context;
  const startMs = clock.nowMs();
  let text = first;
  let shown = false;
  let timer: Timer;
  const show = () => {
    const seconds = Math.round((clock.nowMs() - startMs) / 1000);
    const line = sanitizeText(`${text} (${seconds} s)`);
    if (err.isTerminal) writeControl(err, CLEAR_LINE + line);
    else err.write(`${line}\n`);
    shown = true;
    timer = after(clock, err.isTerminal ? TERMINAL_EVERY_MS : FILE_EVERY_MS, show);
  };
  timer = after(clock, QUIET_MS, show);
  return {
    show: (next) => void (text = next),
    end() {
      timer.cancel();
      if (shown && err.isTerminal) writeControl(err, CLEAR_LINE);
    },
  };
}

/** Runs `work` and shows progress until it settles. */
export async function withProgress<T>(
  context: Pick<CommandContext, 'clock' | 'err'>,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const progress = startProgress(context, text);
  try {
    return await work();
  } finally {
    progress.end();
  }
}
