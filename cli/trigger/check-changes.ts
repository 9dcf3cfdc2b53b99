import { Fault } from '../../protocol/failures.ts';
import type { EventType } from '../../server/api/webhooks/event-types.ts';
import { readMember } from './declared-member.ts';
import type { MemberChange } from './member-change.ts';
import type { Json, TriggerPath } from './trigger-path.ts';

/** A changed member of the body of a step, with its value. */
export interface CheckedChange {
  step: string;
  path: readonly string[];
  value: Json;
}

/**
 * Returns the changes with the steps that they are for and their values.
 * @throws Fault `bad_setting` for a step that the path does not have, and for a member that its request does not have
 */
export function checkChanges(
  eventType: EventType,
  { steps, main }: TriggerPath,
  changes: readonly MemberChange[],
): Promise<CheckedChange[]> {
  const requests = steps.filter((step) => 'request' in step);
  return Promise.all(
    changes.map(async ({ step = main, path, typed }) => {
      const request = requests.find(({ name }) => name === step);
      if (request) return { step, path, value: await readMember(request.request, path, typed) };
      const names = requests.map(({ name }) => name).join(', ');
      throw new Fault('bad_setting', `--set: ${eventType} has no step '${step}': its steps are ${names}`);
    }),
  );
}
