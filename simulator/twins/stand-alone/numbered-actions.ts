import { seededRandom, type Random } from '../../../protocol/ids.ts';
import type { NumberedAction, TerminalMemory } from './journal.ts';

/** What names an action, such as a request of a till. */
interface OfAction {
  actionId: string;
}

/** The names of actions between a till and the terminal beside it. */
interface ActionNames {
  /** Returns the same under the name that the terminal hears. */
  ofTerminal<T extends OfAction>(given: T): T;
  /** Returns the same under the id that the server knows. */
  ofServer<T extends OfAction>(given: T): T;
}

// One whose reversal is still to come is among them.
const KEPT_MAX = 20;

/**
 * Names actions by their numbers at a terminal. Drivers make what they send of the name, and a replay has other ids than its
 * recording, but the same numbers.
 */
export function nameActions(memory: TerminalMemory): ActionNames {
  return {
    ofTerminal: (given) => ({ ...given, actionId: nameOf(numberOf(memory, given.actionId)) }),
    ofServer(given) {
      const named = memory.numbered.find(({ number }) => nameOf(number) === given.actionId);
      return { ...given, actionId: named?.actionId ?? given.actionId };
    },
  };
}

const nameOf = (number: number): string => `action ${number}`;

function numberOf(memory: TerminalMemory, actionId: string): number {
  const known = memory.numbered.find((action) => action.actionId === actionId);
  if (known) return known.number;
  const added: NumberedAction = { actionId, number: latestNumber(memory) + 1 };
  memory.numbered = [...memory.numbered, added].slice(-KEPT_MAX);
  return added.number;
}

const latestNumber = ({ numbered }: TerminalMemory): number => numbered.at(-1)?.number ?? 0;

/** Returns randomness that begins anew with each action of the till, so that a replay of the action has the same. */
export function randomOfActions(memory: TerminalMemory, who: string): Random {
  let current: { number: number; random: Random } | undefined;
  return {
    bytes(count) {
      const number = latestNumber(memory);
      if (current?.number !== number) current = { number, random: seededRandom(`${who} ${number}`) };
      return current.random.bytes(count);
    },
  };
}
