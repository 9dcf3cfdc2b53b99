import { describeMachine, type DescribedState, type MachineDescription } from '../protocol/machine-shape.ts';
import { EFFECTS } from './lifecycle/action-effects.ts';
import { EFFECT_TEXTS, STATE_TEXTS } from './lifecycle/action-texts.ts';
import { actionMachine } from './lifecycle/action.machine.ts';

/** Description of the terminal's machine, which it publishes to the server. */
export const ACTION_MACHINE: MachineDescription = describeMachine(actionMachine);

/**
 * Names in the machine of a terminal: its effects, and its states as a plan of faults names them, by their path
 * (`approved.printing.merchantCopy`) or by one part of it. `texts` says what each does.
 */
export const ACTION_MACHINE_NAMES = {
  states: [...new Set(namesOfStates(ACTION_MACHINE.definition))],
  effects: Object.keys(EFFECTS),
  texts: { states: STATE_TEXTS, effects: EFFECT_TEXTS },
};

function namesOfStates({ states = {} }: DescribedState, path: readonly string[] = []): string[] {
  return Object.entries(states).flatMap(([key, state]) => {
    const inner = namesOfStates(state, [...path, key]);
    return inner.length > 0 ? [key, ...inner] : [key, [...path, key].join('.')];
  });
}
