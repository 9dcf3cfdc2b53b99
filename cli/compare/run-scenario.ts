import { toTimestamp } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { bodyOf } from '../../protocol/api-call.ts';
import { isObject } from '../../protocol/outside-json.ts';
import { verifySignature } from '../../server/platform/outbox/signature.ts';
import { pause } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import type { CarefulClient, SeenReply, Sent } from './careful-client.ts';
import type { ReceivedDelivery } from './delivery-receiver.ts';
import { reasonOfNeed, RECEIVER } from './needs.ts';
import { timesIn, type AwaitedEvent } from './awaited-event.ts';
import { memberAt, NotRemembered, resolved, resolvedString, type Remembered } from './references.ts';
import { plainRequest, type Keys } from './request.ts';
import type { CallStep, DeliveryStep, EventStep, Scenario, Step, UntilStep } from './scenario.ts';

/** A server at which scenarios run. */
export interface Target {
  client: CarefulClient;
  keys: Keys;
  /** Milliseconds between two looks at what is awaited. */
  pollMs: number;
  /** Where its deliveries arrive; undefined where none are received. */
  receives?: { url: string; deliveries(): readonly ReceivedDelivery[] } | undefined;
}

/** What a step got. */
export interface Observation {
  /** Position of the step in its scenario. */
  step: number;
  reply: SeenReply;
  /** Unix timestamp, in seconds, at which the reply was there. */
  atTimestamp: number;
  /** Whether what was awaited came; true for a call. */
  came: boolean;
  /** The texts that the step sent. */
  sentTexts: readonly string[];
  /** Of them, those in the path and the query that say what is asked for, and not where a page begins. */
  scope: readonly string[];
  /** The event that was awaited; undefined for another step, and where it did not come. */
  event?: AwaitedEvent;
}

/** What a scenario did at one server. */
export interface ScenarioRun {
  unique: string;
  startTimestamp: number;
  observations: readonly Observation[];
  /** Why steps were left out; undefined when all were done. */
  stopped: { step: number; reason: string; isUnreachable: boolean } | undefined;
  /** Replies by the name that a step gave them, with those that were known. */
  replies: ReadonlyMap<string, unknown>;
}

interface RunParts {
  target: Target;
  unique: string;
  /** What texts refer to from the beginning, by name. */
  known: ReadonlyMap<string, unknown>;
  /** Returns whether a request of an operation has `metadata`. */
  takesMetadata(operation: string): boolean;
  /** Whether only the steps run that are for the end of all scenarios; all others when undefined. */
  isEnd?: boolean;
  /** Asks a person to act, and resolves when that is done; false where nobody can be asked. */
  askHand(text: string): Promise<boolean>;
}

type Context = Pick<CommandContext, 'clock' | 'interrupted'>;

/** Thrown where the rest of a scenario can't be shown. */
class Stopped extends Error {
  readonly isUnreachable: boolean;

  constructor(message: string, isUnreachable = false) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

/**
 * Does the steps of a scenario at one server. Where one cannot be done the rest is left out, but for the steps that
 * remove what the scenario made: those run also when the command was interrupted.
 * @param lasting context and client that go on after an interruption
 */
export async function runScenario(
  context: Context,
  scenario: Scenario,
  parts: RunParts,
  lasting: { context: Context; target: Target },
): Promise<ScenarioRun> {
  const { receives } = parts.target;
  const replies = new Map([...parts.known, ...(receives ? [[RECEIVER, receives.url] as const] : [])]);
  const startTimestamp = toTimestamp(context.clock.nowMs());
  const remembered: Remembered = { unique: parts.unique, now: startTimestamp, replies };
  const observations: Observation[] = [];
  let stopped: ScenarioRun['stopped'];
  for (const [index, step] of scenario.steps.entries()) {
    const isCleanup = 'call' in step && step.then !== undefined;
    if (isAtEnd(step) !== (parts.isEnd ?? false)) continue;
    if (stopped && !isCleanup) continue;
    const using = context.interrupted.aborted ? lasting : { context, target: parts.target };
    try {
      if (!isCleanup) context.interrupted.throwIfAborted();
      const seen = await doStep(using.context, step, { ...parts, target: using.target, remembered });
      if (seen) {
        observations.push({ step: index, ...seen });
        if ('as' in step && step.as !== undefined) replies.set(step.as, seen.reply.body);
        if (!seen.came) throw new Stopped(`what it waits for did not come within ${secondsOf(step)} seconds`);
      }
    } catch (thrown) {
      const isExpected = thrown instanceof Stopped || thrown instanceof NotRemembered;
      if (!isExpected && !context.interrupted.aborted) throw thrown;
      const reason = isExpected ? messageOf(thrown) : 'it was interrupted';
      stopped ??= { step: index, reason, isUnreachable: thrown instanceof Stopped && thrown.isUnreachable };
    }
  }
  return { unique: parts.unique, startTimestamp, observations, stopped, replies };
}

/** Whether a step waits until all scenarios have run. */
export function isAtEnd(step: Step): boolean {
  return 'call' in step && step.then === 'end';
}

/** Returns what a scenario knows from the beginning: what the scenarios that it uses have remembered. */
export function knownTo(
  { uses = [] }: Scenario,
  given: unknown,
  runs: ReadonlyMap<string, Pick<ScenarioRun, 'replies'>>,
): Map<string, unknown> {
  const used = uses.flatMap((name) => [...(runs.get(name)?.replies ?? [])]);
  return new Map([...used, ['given', given]]);
}

type Seen = Omit<Observation, 'step'>;
type StepParts = RunParts & { remembered: Remembered };

async function doStep(context: Context, step: Step, parts: StepParts): Promise<Seen | undefined> {
  if ('call' in step) return call(context, step, parts);
  if ('until' in step) return awaitMember(context, step, parts);
  if ('event' in step) return awaitEvent(context, step, parts);
  if ('delivery' in step) return awaitDelivery(context, step, parts);
  if (!(await parts.askHand(resolvedString(step.hand, parts.remembered))))
    throw new Stopped(reasonOfNeed('hands'));
  return undefined;
}

async function call(context: Context, step: CallStep, parts: StepParts): Promise<Seen> {
  const { target, remembered } = parts;
  const request = plainRequest(step.call, step, {
    keys: target.keys,
    remembered,
    isMarked: parts.takesMetadata(step.call),
  });
  const reply = replyOf(await target.client.send(request));
  const { startsAfter: _, paginationToken: __, ...filters } = step.query ?? {};
  return {
    reply,
    came: true,
    atTimestamp: toTimestamp(context.clock.nowMs()),
    scope: textsIn(resolved([step.path, filters], remembered)),
    sentTexts: textsIn([
      resolved([step.body, step.query, step.path, step.form, step.headers], remembered),
      remembered.unique,
    ]),
  };
}

function awaitMember(context: Context, step: UntilStep, parts: StepParts): Promise<Seen> {
  const { target, remembered } = parts;
  const request = plainRequest(step.until, step, { keys: target.keys, remembered, isMarked: false });
  const wanted = step.is.map((value) => JSON.stringify(resolved(value, remembered)));
  return repeat(context, step, parts, async () => {
    const reply = replyOf(await target.client.send(request));
    const value = memberAt(reply.body, step.member.split('.'));
    return { reply, came: wanted.includes(JSON.stringify(value)) };
  });
}

const EVENTS_MAX = 50; // Spec §8, the most there may be in a page

function awaitEvent(context: Context, step: EventStep, parts: StepParts): Promise<Seen> {
  const { target, remembered } = parts;
  const about = resolvedString(step.of, remembered);
  const asked = { query: { limit: EVENTS_MAX }, ...(step.headers && { headers: step.headers }) };
  const request = plainRequest('GET /events', asked, { keys: target.keys, remembered, isMarked: false });
  return repeat(context, step, parts, async () => {
    const reply = replyOf(await target.client.send(request));
    const items = isObject(reply.body) && Array.isArray(reply.body['items']) ? reply.body['items'] : [];
    const events = items
      .filter(isObject)
      .filter(({ eventType, data }) => eventType === step.event && isAbout(data, about));
    const [event] = events;
    // The page that has it depends on what else the account did.
    const came = { reply: { ...reply, body: event }, came: event !== undefined };
    if (!event) return came;
    const said = { eventType: step.event, data: JSON.stringify(event['data']) };
    return { ...came, event: { ...said, request, times: timesIn(events, said) } };
  });
}

function awaitDelivery(context: Context, step: DeliveryStep, parts: StepParts): Promise<Seen> {
  const { target, remembered } = parts;
  const [about, secret] = [step.of, step.secret].map((text) => resolvedString(text, remembered));
  return repeat(context, step, parts, () => {
    const found = (target.receives?.deliveries() ?? []).flatMap(({ body, signature, isJson }) => {
      const event = bodyOf({ text: body.toString('utf8') });
      const isIt = isObject(event) && event['eventType'] === step.delivery && isAbout(event['data'], about!);
      return isIt ? [{ isSigned: verifySignature(secret!, body, signature), isJson, event }] : [];
    });
    return Promise.resolve({
      reply: { status: 200, body: found[0], serverTime: undefined, contentType: undefined },
      came: found.length > 0,
    });
  });
}

/** Whether an object has an id, itself or in one of its members. */
function isAbout(data: unknown, id: string): boolean {
  return textsIn(data).includes(id);
}

async function repeat(
  context: Context,
  { seconds, headers, ...asked }: Pick<UntilStep, 'seconds'> & Partial<Pick<UntilStep, 'headers' | 'path'>>,
  { target: { pollMs }, remembered }: StepParts,
  ask: () => Promise<Pick<Seen, 'reply' | 'came' | 'event'>>,
): Promise<Seen> {
  const scope = textsIn(resolved(asked.path, remembered));
  const sentTexts = [...scope, ...textsIn(resolved(headers, remembered))];
  const endMs = context.clock.nowMs() + seconds * 1000;
  for (;;) {
    const seen = await ask();
    const nowMs = context.clock.nowMs();
    const isRefused = seen.reply.status >= 400;
    if (seen.came || isRefused || nowMs >= endMs)
      return { ...seen, atTimestamp: toTimestamp(nowMs), sentTexts, scope };
    await pause(context, pollMs);
  }
}

function secondsOf(step: Step): number {
  return 'seconds' in step ? step.seconds : 0;
}

/** @throws Stopped when there is no reply that can be compared */
function replyOf(sent: Sent): SeenReply {
  if ('reply' in sent) return sent.reply;
  throw new Stopped(sent.problem, sent.isUnreachable);
}

/** Returns the texts in a value, of any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
