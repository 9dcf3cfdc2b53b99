import type { CardRequest } from '../reader.ts';
import * as commands from './commands.ts';
import { CARD_TIMEOUT_S, GRACE_MS, NOT_THERE, RESULT, STATUS, type CommandName } from './constants.ts';
import type { VivotechLink } from './link.ts';
import { readActivation, readContact, type Activation } from './transaction-result.ts';

/** The ways to look for a card, the widest first: which of them a model has shows when it is asked. */
const WAYS = ['activateAll', 'activate', 'contactStart'] as const satisfies CommandName[];
type Way = (typeof WAYS)[number];

/** Looks for a card, again and again, in the widest way that the model has. */
export interface CardFinder {
  /** Undefined when `signal` is aborted first; the reader has stopped looking then. */
  find(link: VivotechLink, request: CardRequest, signal: AbortSignal): Promise<Activation | undefined>;
}

export function createCardFinder(): CardFinder {
  let ways: readonly Way[] = WAYS;
  return {
    async find(link, request, signal) {
      const limitMs = CARD_TIMEOUT_S * 1000 + GRACE_MS;
      for (;;) {
        const [way] = ways;
        if (!way) return { type: 'failed', reason: 'the reader has no command to look for a card' };
        const frame = await link.work(way, dataOf(way, request), { limitMs, signal });
        if (signal.aborted) {
          // What was found meanwhile is nobody's.
          await link.ask('cancel').catch(() => {});
          return undefined;
        }
        // An answer that was lost may have been that of a card: it is to be shown again. A reader that allows
        // nothing works on something that it was asked before.
        if (!frame || frame.code === STATUS.notAllowed) await link.ask('cancel');
        else if (NOT_THERE.includes(frame.code)) ways = ways.slice(1);
        else {
          const found =
            way === 'contactStart' ? startedOf(frame.code, frame.data) : readActivation(frame, way);
          if (found.type !== 'nobody') return found;
        }
      }
    },
  };
}

function dataOf(way: Way, request: CardRequest): Uint8Array {
  return commands[way](request);
}

/** 60-10 says by its result code what came of it. */
function startedOf(code: number, data: Uint8Array): Activation {
  if (code !== STATUS.ok) return readActivation({ command: 0, code, data }, 'activateAll');
  const { result, objects } = readContact(data);
  if (result === RESULT.started) return { type: 'contact', objects };
  if (result === RESULT.timeout) return { type: 'nobody' };
  return { type: 'unreadable', reason: 'the chip could not be read' };
}
