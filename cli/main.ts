#!/usr/bin/env node
import { SystemClock } from '../protocol/clock.ts';
import { systemRandom } from '../protocol/ids.ts';
import { VERSION } from '../protocol/version.ts';
import { EXIT } from './command.ts';
import { runProgram } from './program.ts';
import type { Sink } from './surroundings.ts';

/** A second request to stop is meant: nothing is waited for any more. */
function stopOnSignals(): AbortSignal {
  const interrupted = new AbortController();
  const stop = () => {
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupted.abort(new Error('interrupted'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return interrupted.signal;
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  // Whoever read our output went away, as `| head` does: nothing more to say.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  const isTerminal = stream.isTTY === true;
  // https://no-color.org: any value but an empty one.
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    colours: isTerminal && !process.env['NO_COLOR'],
  };
}

process.exitCode = await runProgram(
  process.argv.slice(2),
  {
    env: process.env,
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    fetch: (...request) => fetch(...request),
    clock: new SystemClock(),
    random: systemRandom,
    interrupted: stopOnSignals(),
  },
  VERSION,
);
