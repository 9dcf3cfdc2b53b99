import type { CommandContext, Sink } from './command-context.ts';
import { sanitizeLines } from './sanitize-text.ts';

/**
 * Returns a sink of a process for what a command prints: whatever came from outside, a text in it executes nothing in a terminal.
 * Only `control` passes the escape sequences of the program itself.
 */
function safeSink(sink: Sink): Sink {
  return {
    ...sink,
    write: (text) => sink.write(sanitizeLines(text, sink.colours)),
    control: (sequence) => sink.write(sequence),
  };
}

/** Returns the context of a command with safe sinks. */
export function withSafeSinks(context: CommandContext): CommandContext {
  return { ...context, out: safeSink(context.out), err: safeSink(context.err) };
}
