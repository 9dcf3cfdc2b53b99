import type { CardRequest } from '../reader.ts';
import * as commands from './commands.ts';
import {
  CARD_TIMEOUT_S,
  GRACE_MS,
  UNSUPPORTED_STATUSES,
  RESULT,
  STATUS,
  type CommandName,
} from './constants.ts';
import type { VivotechLink } from './link.ts';
import { parseActivation, parseContactResult, type Activation } from './transaction-result.ts';

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
      const found = way === 'contactStart' ? startedOf(frame.code, frame.data) : parseActivation(frame, way);
      if (found.type !== 'noCard') return found;
    }
  }
}

function dataOf(way: ActivationCommand, request: CardRequest): Uint8Array {
  return commands[way](request);
}

/** Converts the response of 60-10 by its result code. */
function startedOf(code: number, data: Uint8Array): Activation {
  if (code !== STATUS.ok) return parseActivation({ command: 0, code, data }, 'activateAll');
  const { result, objects } = parseContactResult(data);
  if (result === RESULT.started) return { type: 'contact', objects };
  if (result === RESULT.timeout) return { type: 'noCard' };
  return { type: 'unreadable', reason: 'the chip could not be read' };
}
