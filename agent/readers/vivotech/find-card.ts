import type { CardRequest } from '../reader.ts';
import * as commands from './commands.ts';
import { CARD_TIMEOUT_S, GRACE_MS, UNSUPPORTED_STATUSES, STATUS, type CommandName } from './constants.ts';
import type { VivotechLink } from './link.ts';
import { parseActivation, type Activation } from './transaction-result.ts';

/** Commands to look for a card, those with more interfaces first. A model refuses those that it does not have. */
const ACTIVATION_COMMANDS = ['activateAll', 'activate', 'contactStart'] as const satisfies CommandName[];
type ActivationCommand = (typeof ACTIVATION_COMMANDS)[number];

/**
 * Looks for a card repeatedly, with the first command that the model supports. Returns undefined when `signal` is aborted
 * first, after a cancel command.
 */
export async function findCard(
  link: VivotechLink,
  request: CardRequest,
  signal: AbortSignal,
): Promise<Activation | undefined> {
  // A reader may refuse a command once only, so each action begins with all of them.
  let ways: readonly ActivationCommand[] = ACTIVATION_COMMANDS;
  const limitMs = CARD_TIMEOUT_S * 1000 + GRACE_MS;
  for (;;) {
    const [way] = ways;
    if (!way) return { type: 'failed', reason: 'the reader has no command to look for a card' };
    const frame = await link.runCommand(way, dataOf(way, request), { limitMs, signal });
    if (signal.aborted) {
      // A card that was found meanwhile is not used.
      await link.exchange('cancel').catch(() => {});
      return undefined;
    }
    // A lost response may have been that of a card, which has to be presented again. A reader that allows no
    // command is still running an earlier one.
    if (!frame || frame.code === STATUS.notAllowed) await link.exchange('cancel');
    else if (UNSUPPORTED_STATUSES.includes(frame.code)) ways = ways.slice(1);
    else {
      const found = parseActivation(frame);
      if (found.type !== 'noCard') return found;
    }
  }
}

function dataOf(way: ActivationCommand, request: CardRequest): Uint8Array {
  return commands[way](request);
}
