import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import type { CommandContext } from '../../cli/command-context.ts';

/** What surrounds a command, without a person in front of it. */
export function silentContext(): CommandContext {
  const nowhere = { write: () => {}, isTerminal: false, colours: false };
  return {
    env: {},
    out: nowhere,
    err: nowhere,
    keyboard: { onLine: () => () => {}, onKey: () => () => {}, onMove: () => () => {} },
    openBrowser: async () => false,
    fetch,
    clock: new SystemClock(),
    random: systemRandom,
    interrupted: new AbortController().signal,
  };
}
