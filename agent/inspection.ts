import { describeMachine, type MachineDescription } from '../protocol/machine-shape.ts';
import { actionMachine } from './lifecycle/action.machine.ts';

/** The shape of this terminal's machine, as it tells the server. */
export const ACTION_MACHINE: MachineDescription = describeMachine(actionMachine);
