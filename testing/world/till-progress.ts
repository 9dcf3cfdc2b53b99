import { ACTION_MACHINE } from '../../agent/inspection.ts';
import type { DescribedState } from '../../protocol/machine-shape.ts';
import type { World } from './world.ts';

const STATES = [...new Set(namesOf(ACTION_MACHINE.definition))];

function namesOf({ states = {} }: DescribedState): string[] {
  return Object.entries(states).flatMap(([name, state]) => [name, ...namesOf(state)]);
}

/** @throws Error for a name that no state of a terminal's machine has */
export function assertState(name: string): void {
  if (STATES.includes(name)) return;
  throw new Error(`a terminal has no state '${name}'; its states are: ${STATES.join(', ')}`);
}

/**
 * Follows the machine of a terminal. Returns a function that describes its way through the latest action and what the
 * world has next, for the message of a wait that fails.
 */
export function followProgress({ watchSteps, clock }: World, terminalId: string): () => string {
  let states: string[] = [];
  watchSteps((step) => {
    if (step.terminalId !== terminalId) return;
    if (step.from === null) states = [];
    states.push(step.state);
  });

  return () => {
    const place =
      states.length === 0
        ? 'The terminal has had no action.'
        : `It is in ${states.at(-1)}, by way of: ${states.join(' → ')}.`;
    const [dueMs] = clock.due;
    const next =
      dueMs === undefined
        ? 'Nothing is scheduled.'
        : `The next scheduled call is due in ${(dueMs - clock.nowMs()) / 1000} s of virtual time.`;
    return `${place} ${next}`;
  };
}
