import type { ActionEvent } from '../../server/api/in-person/actions/action.machine.ts';
import type { ActionRow } from '../../server/api/in-person/actions/action.records.ts';
import { eventsOfConfirmation, refuseNoCopy } from '../../server/api/in-person/actions/action.rules.ts';
import { requireUnknown } from '../../server/api/in-person/actions/settlement.rules.ts';
import { Refusal } from '../../server/platform/http/refusals.ts';

export type Confirmation = Parameters<typeof eventsOfConfirmation>[1];

function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Returns the events of a confirmation; undefined if it is refused. */
export function eventsOrRefusal(row: ActionRow, confirmation: Confirmation): ActionEvent[] | undefined {
  return unlessRefused(() => {
    refuseNoCopy(confirmation);
    return eventsOfConfirmation(row, confirmation);
  });
}

/** Whether the server lets a person settle the outcome of an action. */
export function isOffered(row: ActionRow): boolean {
  return unlessRefused(() => requireUnknown(row)) === row;
}
