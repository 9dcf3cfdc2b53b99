import type { EventType } from '../../server/api/webhooks/event-types.ts';
import type { Event } from '../../server/api/webhooks/event.schema.ts';
import { findEvent } from './find-event.ts';
import { changeMember, type MemberChange } from './member-change.ts';
import { runStep, type StepRunner } from './run-step.ts';
import type { Json, Step, TriggerPath } from './trigger-path.ts';
import { TRIGGER_PATHS } from './trigger-paths.ts';
import { Fault } from '../../protocol/failures.ts';
import { readMember } from './declared-member.ts';

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

/** A changed member of the body of a step, with its value. */
interface CheckedChange {
  step: string;
  path: readonly string[];
  value: Json;
}

/**
 * Returns the changes with the steps that they are for and their values.
 * @throws Fault `bad_setting` for a step that the path does not have, and for a member that its request does not have
 */
function checkChanges(
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

type Values = Record<string, unknown>;

/**
 * Returns a value with each reference `{name.member}` in its texts replaced by that member of `values`. A text that is
 * one reference becomes the member itself, of any type; within other text the member is written out.
 * @throws TypeError for a reference to a member of what is not there
 */
export function fillReferences<T>(value: T, values: Values): T {
  return filled(value, values) as T;
}

function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)]));
  if (typeof value !== 'string') return value;
  const whole = /^\{([\w.]+)\}$/.exec(value);
  return whole
    ? memberAt(values, whole[1]!)
    : value.replace(/\{([\w.]+)\}/g, (_, path: string) => String(memberAt(values, path)));
}

function memberAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (found as Values)[name], values);
}
