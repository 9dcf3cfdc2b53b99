import { messageOf } from '../../protocol/failures.ts';
import type { HuntedFault } from './hunted-fault.ts';
import type { HuntEnd } from './hunt-end.ts';
import { describeStory, type Story } from './story/story-text.ts';
import type { Trial } from './trial.ts';
import type { LoggedHunt, TriedPlace } from '../run-log/run-log-format.ts';
import { countTriedPlaces, type TriedPlaces } from './tried-places.ts';

/** An error of several plans, with the first of them. */
export interface PlansWithError {
  error: string;
  plans: number;
  first: readonly HuntedFault[];
}

/** Why a hunt tried no more plans: all were tried, its time was up, it was stopped, or it found one. */
export type HuntEnding = 'plans' | 'seconds' | 'stop' | 'found';

/** What a hunt has tried, whether it found something or not. */
export interface HuntCounts {
  endedBy: HuntEnding;
  /** Number of plans that were tried, the one without faults among them. */
  plans: number;
  /**
   * Number of these in which a fault was not reached: it struck nothing, because what it waited for did not happen under
   * the faults before it.
   */
  notReached: number;
  /** Number of these that were the same as an earlier one. */
  repeated: number;
  /** Number of these that were judged while the scenario was still running, or waited for what never came. */
  unfinished: number;
  /** Number of these in which a fault struck after the scenario had returned. */
  struckLater: number;
  /** The places at which faults could strike, and how often they did. */
  tried: TriedPlace[];
  /** Why plans could not be judged: the world, a verdict or the books failed. They say nothing about the shop. */
  notJudged: PlansWithError[];
  /** What the scenario and its webhook endpoints threw where faults struck. They may: what counts are the books. */
  thrown: PlansWithError[];
  /** What the hunt did not test although it may look so, as sentences. */
  warnings: string[];
}

/** What the report of a test run shows of each plan that was found. */
interface ToldPlan extends Story {
  verdict: string;
}

/** Returns what the report of a test run shows of a hunt. */
export function loggedHunt(
  { plans, notJudged, tried, warnings }: HuntCounts,
  { seed, finds }: { seed: number | string; finds: readonly ToldPlan[] },
): LoggedHunt {
  const unjudged = notJudged.reduce((sum, each) => sum + each.plans, 0);
  const verdict = finds.length > 0 ? finds.map((found) => found.verdict).join('; ') : null;
  const story = finds.flatMap(describeStory);
  return { seed: String(seed), verdict, story, plans, notJudged: unjudged, tried, warnings };
}

interface HuntTally {
  /** Counts the run without faults. */
  addCalm(trial: Trial): void;
  add(plan: readonly HuntedFault[], trial: Trial): void;
  /** Counts a plan that could not be judged. */
  addFailed(plan: readonly HuntedFault[], thrown: unknown): void;
  /** Counts an example that no longer fits. */
  addStale(): void;
  readonly plans: number;
  /**
   * @param isFound whether the hunt ended because it found something
   * @param isCut whether it ended while it made a plan smaller
   */
  counts(end: Pick<HuntEnd, 'over' | 'isStopped'>, isFound?: boolean, isCut?: boolean): HuntCounts;
}

/** Counts what comes of the plans of a hunt. */
export function createHuntTally(): HuntTally {
  let places: TriedPlaces = countTriedPlaces({ observed: [], restartable: 0 });
  let calm: Trial | undefined;
  let plans = 0;
  let notReached = 0;
  let repeated = 0;
  let unfinished = 0;
  let struckLater = 0;
  const seen = new Set<string>();
  let stale = 0;
  const notJudged = new Map<string, PlansWithError>();
  const thrown = new Map<string, PlansWithError>();

  function begin(plan: readonly HuntedFault[]): void {
    plans += 1;
    const text = JSON.stringify(plan);
    if (seen.has(text)) repeated += 1;
    seen.add(text);
  }

  /** Several deliveries may end in the same way: a plan is counted once. */
  function noteThrown(plan: readonly HuntedFault[], { thrown: errors = [] }: Trial): void {
    const kinds = new Map(errors.map((error) => [kindOf(error), error]));
    for (const error of kinds.values()) note(thrown, plan, error);
  }

  return {
    get plans() {
      return plans;
    },
    addCalm(trial) {
      plans += 1;
      calm = trial;
      if (trial.isUnfinished) unfinished += 1;
      places = countTriedPlaces(trial);
      noteThrown([], trial);
    },
    add(plan, trial) {
      begin(plan);
      places.addNew(trial.happened ?? []);
      places.add(plan, trial.unstruck);
      if (trial.unstruck.length > 0) notReached += 1;
      if (trial.isUnfinished) unfinished += 1;
      if (trial.struckLater) struckLater += 1;
      noteThrown(plan, trial);
    },
    addFailed(plan, error) {
      begin(plan);
      note(notJudged, plan, error);
    },
    addStale() {
      stale += 1;
    },
    counts(end, isFound = false, isCut = false) {
      const endedBy = endingOf(end, isFound);
      const counted = { endedBy, plans, notReached, repeated, unfinished, struckLater, tried: places.list() };
      const errors = { notJudged: [...notJudged.values()], thrown: [...thrown.values()] };
      const warnings = warningsOf(counted, calm);
      if (stale > 0)
        warnings.push(
          `${stale === 1 ? '1 example was' : `${stale} examples were`} not tried: what its faults come after does not happen any more`,
        );
      if (isCut) warnings.push(NOT_SMALL);
      return { ...counted, ...errors, warnings };
    },
  };
}

const NOT_SMALL =
  'the hunt ended before the plan that it found was as small as it can be: try that again with more seconds';

function endingOf({ over, isStopped }: Pick<HuntEnd, 'over' | 'isStopped'>, isFound: boolean): HuntEnding {
  if (isStopped) return 'stop';
  if (over.aborted) return 'seconds';
  return isFound ? 'found' : 'plans';
}

/** Errors differ by the ids that they name: one of each kind is enough. */
const ID = /\b[a-z]+(_[a-z]+)*_[0-9A-Za-z]{10,}\b/g;

function note(errors: Map<string, PlansWithError>, first: readonly HuntedFault[], thrown: unknown): void {
  const known = errors.get(kindOf(thrown));
  if (known) known.plans += 1;
  else errors.set(kindOf(thrown), { error: messageOf(thrown), plans: 1, first });
}

function kindOf(thrown: unknown): string {
  return messageOf(thrown).replaceAll(ID, '');
}

function warningsOf(
  { plans, repeated, struckLater, tried }: Omit<HuntCounts, 'notJudged' | 'thrown' | 'warnings'>,
  calm: Trial | undefined,
): string[] {
  const struck = tried.reduce((sum, place) => sum + place.struck, 0);
  const warnings: string[] = [];
  if (calm?.isUnfinished)
    warnings.push(
      'the scenario had not ended when it was judged, also without faults: wait by `sleep`, not by setTimeout, and for nothing that never comes',
    );
  warnings.push(...(calm?.warnings ?? []));
  if (struck > 0 && struckLater === 0)
    warnings.push('no fault struck after the scenario had returned: what comes later was not tried');
  if (repeated > 0) warnings.push(`${repeated} of ${plans} plans were the same as an earlier one`);
  return warnings;
}
