import { isObject } from '../../../protocol/outside-json.ts';
import { EVENT_OPERATION, type DeclaredApi } from '../declared-api.ts';
import { memberAt } from '../references.ts';
import type { Observation, ScenarioRun } from '../run-scenario.ts';
import type { Scenario, Step } from '../scenario.ts';
import { compareBodies } from './compare-bodies.ts';
import { idsIn } from './compare-lists.ts';
import { compareErrors } from './compare-errors.ts';
import type { Difference, Found } from './difference.ts';
import { maskedText, maskedValue } from './mask-value.ts';
import type { Moment } from './compare-values.ts';
import { placeOfDifference } from './place-of-difference.ts';
import { createPairs, type Pairs } from './pairs.ts';

/** What is known of both servers over a run. */
interface KnownOfBoth {
  pairs: Pairs;
  /** Ids of what the run made. */
  made: { here: Set<string>; there: Set<string> };
  /** All ids of earlier replies. */
  seen: { here: Set<string>; there: Set<string> };
  /** The texts of the scenarios so far that no other run has. */
  uniques: { here: string[]; there: string[] };
}

export function createKnownOfBoth(): KnownOfBoth {
  return {
    pairs: createPairs(),
    made: { here: new Set(), there: new Set() },
    seen: { here: new Set(), there: new Set() },
    uniques: { here: [], there: [] },
  };
}

/** What a scenario has shown. */
interface Comparison {
  differences: Difference[];
  /** Why not all of it was shown; undefined when all was. */
  notShown: string | undefined;
}

/**
 * Compares what a scenario did at two servers, step by step, until they go different ways: where only one of them succeeds,
 * or what is awaited comes at one only, all that follows would differ for that reason.
 */
export function compareRuns(
  scenario: Scenario,
  { here, there }: { here: ScenarioRun; there: ScenarioRun },
  api: DeclaredApi,
  known: KnownOfBoth,
): Comparison {
  const differences: Difference[] = [];
  known.uniques.here.push(here.unique);
  known.uniques.there.push(there.unique);
  const sent = { here: new Set<string>(), there: new Set<string>() };
  for (const [index, step] of scenario.steps.entries()) {
    if ('hand' in step) continue;
    const [ours, theirs] = [here, there].map(({ observations }) =>
      observations.find((one) => one.step === index),
    );
    if (!ours || !theirs) break;
    ours.sentTexts.forEach((text) => sent.here.add(text));
    theirs.sentTexts.forEach((text) => sent.there.add(text));
    const operation = operationOf(step);
    remember(step, ours, 'here', known);
    remember(step, theirs, 'there', known);
    const isFilledIn =
      scenario.hand === 'browser' && scenario.steps.slice(0, index).some((one) => 'hand' in one);
    const found = compareReplies(step, operation, {
      isFilledIn,
      here: { run: here, observation: ours, sent: sent.here },
      there: { run: there, observation: theirs, sent: sent.there },
      api,
      known,
    });
    const isRefused = { here: ours.reply.status >= 400, there: theirs.reply.status >= 400 };
    differences.push(
      ...found.map((one) => ({
        scenario: scenario.name,
        step: index,
        operation,
        ...one,
        ...placeOfDifference(one, { step, scenario, isRefused }),
      })),
    );
    if (haveParted(ours, theirs)) return { differences, notShown: undefined };
  }
  return { differences, notShown: reasonOf(here, there) };
}

function reasonOf(here: ScenarioRun, there: ScenarioRun): string | undefined {
  if (there.stopped) return `step ${there.stopped.step}: ${there.stopped.reason}`;
  return here.stopped && `step ${here.stopped.step}, here: ${here.stopped.reason}`;
}

interface Sides {
  here: Moment & { observation: Observation };
  there: Moment & { observation: Observation };
  api: DeclaredApi;
  known: KnownOfBoth;
  isFilledIn: boolean;
}

function compareReplies(
  step: Step,
  operation: string,
  { api, known, isFilledIn, ...moments }: Sides,
): Found[] {
  const [ours, theirs] = [moments.here.observation.reply, moments.there.observation.reply];
  if (ours.status !== theirs.status) {
    const status = whole('status', '', String(ours.status), String(theirs.status));
    // 204 has no body, and says so.
    const isCompared = areBothDone(ours.status, theirs.status) && theirs.body !== undefined;
    return isCompared ? [...status, ...bodies()] : status;
  }
  const cameHere = wasAwaited(step, ours.body);
  const cameThere = wasAwaited(step, theirs.body);
  const hasCome = moments.here.observation.came || moments.there.observation.came;
  if (hasCome && cameHere !== undefined && cameHere !== cameThere) {
    const member = 'until' in step ? step.member : '';
    return whole('outcome', member, maskedText(cameHere), maskedText(cameThere ?? ''));
  }
  const [timesHere = 1, timesThere = 1] = [moments.here, moments.there].map(
    ({ observation }) => observation.event?.times,
  );
  return [...timesOf({ here: timesHere, there: timesThere }), ...contentTypes(), ...bodies()];

  function contentTypes(): Found[] {
    const [here, there] = [ours.contentType, theirs.contentType];
    const isOther = theirs.body !== undefined && here === JSON_TYPE && there !== JSON_TYPE;
    return isOther ? whole('content', '', JSON_TYPE, maskedText(there ?? 'none')) : [];
  }

  function bodies(): Found[] {
    const declared = api.reply(operation, ours.status);
    const isOwnAccount = moments.here.observation.sentTexts.some((text) =>
      isOfAccount(text, known.made.here),
    );
    const scope = moments.here.observation.scope.map((text, index) => ({
      here: text,
      there: moments.there.observation.scope[index] ?? '',
    }));
    const isBounded = scope.some((asked) => isBound(asked.here, known));
    const context = { ...moments, ...known, api, declared, isOwnAccount, isBounded, scope, isFilledIn };
    if (ours.status < 400) return compareBodies(ours.body, theirs.body, context);
    return compareErrors(ours.body, theirs.body, context);
  }
}

const JSON_TYPE = 'application/json';

function whole(kind: Found['kind'], member: string, here: string, there: string): Found[] {
  return [{ kind, member, here, there, extension: null, isUnknown: false }];
}

/** Compares how often an event was recorded. */
function timesOf({ here, there }: { here: number; there: number }): Found[] {
  return here === there ? [] : whole('count', '', `${here} that say the same`, String(there));
}

/** Compares how often both servers have recorded what a step awaited, as they have it after the last scenario. */
export function compareTimes(
  scenario: Scenario,
  index: number,
  times: { here: number; there: number },
): Difference[] {
  const step = scenario.steps[index]!;
  const isRefused = { here: false, there: false };
  return timesOf(times).map((one) => ({
    scenario: scenario.name,
    step: index,
    operation: EVENT_OPERATION,
    ...one,
    ...placeOfDifference(one, { step, scenario, isRefused }),
  }));
}

/** Whether a text in the path or the query of a request bounds what it gets to what the run made. */
function isBound(text: string, { made, uniques }: KnownOfBoth): boolean {
  return made.here.has(text) || uniques.here.some((unique) => text.includes(unique));
}

/** Returns what a step that waits has got, as a text; undefined for a call. */
function wasAwaited(step: Step, body: unknown): string | undefined {
  if ('event' in step || 'delivery' in step) return body === undefined ? 'nothing' : 'the event';
  if (!('until' in step)) return undefined;
  return maskedValue(memberAt(body, step.member.split('.')), '');
}

const isOfAccount = (text: string, made: ReadonlySet<string>) => text.startsWith('ac_') && made.has(text);
const isDone = (status: number) => status >= 200 && status < 300;
const areBothDone = (here: number, there: number) => isDone(here) && isDone(there);

function haveParted(here: Observation, there: Observation): boolean {
  return isDone(here.reply.status) !== isDone(there.reply.status) || here.came !== there.came;
}

/**
 * Keeps the ids of what a reply says was made: those that nobody has named before. Of what was only read, those that belong
 * to what was made.
 */
function remember(
  step: Step,
  { reply: { body }, sentTexts }: Observation,
  side: 'here' | 'there',
  known: KnownOfBoth,
): void {
  const [made, seen] = [known.made[side], known.seen[side]];
  const isRead = !('call' in step) || step.call.startsWith('GET ');
  const objects = isObject(body) && Array.isArray(body['items']) ? body['items'] : [body];
  for (const object of objects) {
    const found = idsIn(object);
    const isOfRun = found.some((id) => made.has(id));
    for (const id of found) {
      const isNew = !isRead && !seen.has(id) && !sentTexts.includes(id);
      if (isNew || (isRead && isOfRun)) made.add(id);
    }
    found.forEach((id) => seen.add(id));
  }
}

function operationOf(step: Exclude<Step, { hand: string }>): string {
  if ('call' in step) return step.call;
  if ('delivery' in step) return 'a delivery';
  return 'until' in step ? step.until : EVENT_OPERATION;
}
