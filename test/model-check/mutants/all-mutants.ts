import { actionMachine as terminalMachine } from '../../../agent/lifecycle/action.machine.ts';
import { actionMachine as serverMachine } from '../../../server/api/in-person/actions/action.machine.ts';
import { reach } from '../places.ts';
import { machineMutants } from './machine-mutants.ts';
import { notePlaces } from './machine-places.ts';
import type { Mutant } from './mutant.ts';

/** What each mutant of the sources changes, by its number: scripts/bundle-model-check.mjs puts them there. */
declare const SOURCE_MUTANTS: readonly string[];

const MACHINES = [terminalMachine, serverMachine];

let active: number | undefined;

/** Returns all mutants, and makes the rules note the places that they come to. */
export function allMutants(seed: number): Mutant[] {
  const ofMachines = MACHINES.flatMap((machine) => machineMutants(machine, seed));
  for (const machine of MACHINES) notePlaces(machine);
  const isMutant = (number: number) => {
    reach(number);
    return number === active;
  };
  Object.assign(globalThis, { isMutant });
  const ofSources = SOURCE_MUTANTS.map((id, number) => ({
    id,
    place: number,
    apply: () => {
      active = number;
      return () => (active = undefined);
    },
  }));
  return [...ofMachines, ...ofSources];
}
