import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { HuntedFault } from '../../testing/hunt/hunted-fault.ts';
import type { Drill } from '../drills/drill.ts';
import { DRILLS } from '../drills/drills.ts';

/** What of an occurrence a drill and a plan have to strike alike. */
const WHICH = ['operation', 'message', 'state', 'effect', 'eventType'] as const;

/** Returns what a correct integration does under the faults of a plan, and the drill of the same fault; nothing where there is none. */
export function lessonLines(plan: readonly HuntedFault[]): string[] {
  const found = plan.flatMap((fault) => (fault.at === 'integrator' ? [] : drillsOf(fault)))[0];
  if (!found) return [];
  const [name, { right, page }] = found;
  return [`a correct integration ${right}: docs/${page}`, `see it:     tapbench drill ${name}`];
}

/** Returns the drills whose fault strikes the same, those of the very fault first. */
function drillsOf(fault: PlannedFault): [string, Drill][] {
  const alike = Object.entries(DRILLS).filter(([, { faults }]) =>
    faults.some((each) => isAlike(each, fault)),
  );
  const isSame = ([, { faults }]: [string, Drill]) =>
    faults.some((each) => isAlike(each, fault) && each.what === fault.what);
  return [...alike.filter(isSame), ...alike.filter((drill) => !isSame(drill))];
}

function isAlike(one: PlannedFault, other: PlannedFault): boolean {
  return one.at === other.at && WHICH.every((name) => one.when?.[name] === other.when?.[name]);
}
