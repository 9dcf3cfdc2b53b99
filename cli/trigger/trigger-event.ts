import type { EventType } from '../../server/api/webhooks/event-types.ts';
import type { Event } from '../../server/api/webhooks/event.schema.ts';
import { changeMember, type MemberChange, readMember } from './member-change.ts';
import { runStep, type StepRunner, poll, request } from './run-step.ts';
import type { Json, Step, TriggerPath } from './trigger-path.ts';
import { TRIGGER_PATHS } from './trigger-paths.ts';
import { Fault } from '../../protocol/failures.ts';

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
    const changed = changedBody(fillReferences(step, replies), checked);
    replies[step.name] = await runStep(runner, changed, accountOf(step));
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
      const changed = requests.find(({ name }) => name === step);
      if (changed) return { step, path, value: await readMember(changed.request, path, typed) };
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

interface SoughtEvent {
  eventType: EventType;
  /** An id that the data of the event has somewhere. */
  id: string;
  /** The accounts whose events are read; undefined for the holder of the key. */
  accounts: readonly (string | undefined)[];
}

/** Waits for the newest event of a type about an object. @throws Fault `timed_out` when it is not recorded */
async function findEvent(runner: StepRunner, sought: SoughtEvent): Promise<Event> {
  const found = await poll(runner, async () => {
    for (const account of new Set(sought.accounts)) {
      const event = await findIn(runner, account, sought);
      if (event) return event;
    }
    return undefined;
  });
  if (found) return found;
  throw new Fault(
    'timed_out',
    `the calls succeeded, but ${sought.eventType} was not recorded for ${sought.id}: what --set changed may lead elsewhere`,
  );
}

/** Pages of events that are read: what else happens in the sandbox may come after the event. */
const PAGES_MAX = 4;

async function findIn(
  runner: StepRunner,
  account: string | undefined,
  { eventType, id }: SoughtEvent,
): Promise<Event | undefined> {
  let after = '';
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { items, paginationToken } = await request<{ items: Event[]; paginationToken: string | null }>(
      runner,
      `GET /v1/events?limit=50${after}`,
      account,
    );
    const found = items.find(
      ({ eventType: type, data }) => type === eventType && JSON.stringify(data).includes(`"${id}"`),
    );
    if (found || paginationToken === null) return found;
    after = `&startsAfter=${encodeURIComponent(paginationToken)}`;
  }
  return undefined;
}
