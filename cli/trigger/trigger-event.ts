import type { EventType } from '../../server/api/webhooks/event-types.ts';
import type { Event } from '../../server/api/webhooks/event.schema.ts';
import { checkChanges, type CheckedChange } from './check-changes.ts';
import { fillReferences } from './fill-references.ts';
import { findEvent } from './find-event.ts';
import { changeMember, type MemberChange } from './member-change.ts';
import { runStep, type StepRunner } from './run-step.ts';
import type { Json, Step } from './trigger-path.ts';
import { TRIGGER_PATHS } from './trigger-paths.ts';

interface TriggerRequest {
  eventType: EventType;
  /** Members of bodies that the caller chose. */
  changes: readonly MemberChange[];
  /** A linked sub account to act for; the holder of the key unless given. */
  account?: string | undefined;
}

/**
 * Makes an event type happen by the requests of its path, and returns the event.
 * @param unique a text that no other call has, for members that the API wants unique
 * @throws Fault `bad_setting` for a change of a member or a step that is not there, `server_answer` with the message of
 * a refusal, `timed_out` when the requests succeed and the event is not recorded
 */
export async function triggerEvent(
  runner: StepRunner,
  { eventType, changes, account }: TriggerRequest,
  unique: string,
): Promise<Event> {
  const path = TRIGGER_PATHS[eventType];
  const checked = await checkChanges(eventType, path, changes);
  const replies: Record<string, unknown> = { unique };
  const accountOf = (step: Step) =>
    step.account === undefined ? account : fillReferences(step.account, replies);
  for (const step of path.steps) {
    const request = changedBody(fillReferences(step, replies), checked);
    replies[step.name] = await runStep(runner, request, accountOf(step));
  }
  const id = fillReferences(path.about ?? `{${path.main}.id}`, replies);
  const main = path.steps.find(({ name }) => name === path.main)!;
  const owner = path.owner === undefined ? accountOf(main) : fillReferences(path.owner, replies);
  return findEvent(runner, { eventType, id, accounts: [undefined, owner] });
}

function changedBody(step: Step, changes: readonly CheckedChange[]): Step {
  const own = changes.filter((change) => change.step === step.name);
  if (!('request' in step) || own.length === 0) return step;
  const body = own.reduce<Json>(
    (before, { path, value }) => changeMember(before, path, value),
    step.body ?? {},
  );
  return { ...step, body: body as { readonly [member: string]: Json } };
}
