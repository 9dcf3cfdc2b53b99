import { describeMachine, type MachineDescription } from '../protocol/machine-shape.ts';
import { actionMachine } from './lifecycle/action.machine.ts';

/** Description of the terminal's machine, which it publishes to the server. */
export const ACTION_MACHINE: MachineDescription = describeMachine(actionMachine);
