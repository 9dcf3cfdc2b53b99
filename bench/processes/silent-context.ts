import { PassThrough } from 'node:stream';
import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import type { CommandContext } from '../../cli/command-line/command-context.ts';

/** Creates a command context without input and output. */
export function silentContext(): CommandContext {
  const nowhere = { write: () => {}, isTerminal: false, colours: false };
  return {
    env: {},
    out: nowhere,
    err: nowhere,
    keyboard: { onLine: () => () => {}, onKey: () => () => {}, onMove: () => () => {} },
    importModule: () => Promise.reject(new Error('nothing is imported')),
    startDetached: () => Promise.reject(new Error('no process is started')),
    keepRunning: () => () => {},
    openBrowser: async () => false,
    streams: { input: new PassThrough(), output: new PassThrough() },
    fetch,
    clock: new SystemClock(),
    random: systemRandom,
    interrupted: new AbortController().signal,
  };
}
