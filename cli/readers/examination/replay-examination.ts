import { acceptAnyCard } from '../../../agent/readers/card-policy.ts';
import type { CheckResult } from '../../../agent/readers/driver.ts';
import { findDriver } from '../../../agent/readers/drivers.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createSimulatedPinPad } from '../../../simulator/pin-pad.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { NO_KEYS } from '../examine-reader.ts';
import { replayDevice, type Difference } from './replay-device.ts';
import type { RecordedEvent, SavedExamination, SavedStep } from './saved-examination.ts';

/** What came of a replay. `identical` only where something was played and all of it was as recorded. */
interface ReplayedExamination {
  outcome: 'identical' | 'differs' | 'nothingPlayed';
  steps: CheckResult[];
  /** How many answers of the device the driver was given. */
  played: number;
  /** The first step whose answer has hidden bytes: it and those after it are not compared. */
  notCompared: string | undefined;
  differences: Difference[];
}

/**
 * Runs a driver against a saved examination, on virtual time.
 * @throws Fault `bad_setting` when there is no such driver, or the file has no bytes.
 */
export async function replayExamination(saved: SavedExamination): Promise<ReplayedExamination> {
  const row = findDriver(saved.driver);
  if (!row) throw new Fault('bad_setting', `this version has no driver ${saved.driver}`);
  if (!saved.events)
    throw new Fault(
      'bad_setting',
      `it has no bytes: those of ${saved.driver} are sealed with keys of its user`,
    );
  const clock = new VirtualClock(Date.parse(saved.startedAt));
  const shown = beforeHidden(saved, saved.events);
  const device = replayDevice(shown.events, clock, saved.port);
  const findings = (await row.load()).diagnose({
    open: device.open,
    pcsc: device.pcsc,
    clock,
    random: seededRandom(saved.seed),
    log: silentLog,
    pinPad: createSimulatedPinPad(),
    protection: NO_KEYS,
    cards: acceptAnyCard,
    countryCode: '826',
  });
  const steps = await settled(clock, collected(findings, shown.steps.length));
  const differences = differencesOf(shown.steps, device, steps);
  const outcome = device.played === 0 ? 'nothingPlayed' : differences.length > 0 ? 'differs' : 'identical';
  const notCompared = saved.steps[shown.steps.length]?.step;
  return { outcome, steps, played: device.played, notCompared, differences };
}

/** The steps and events before the first answer with hidden bytes, which cannot be played. */
function beforeHidden({ steps }: SavedExamination, events: readonly RecordedEvent[]) {
  const first = events.find(({ received }) => received?.includes('·'))?.step ?? steps.length;
  return {
    steps: steps.slice(0, first),
    events: first === steps.length ? events : events.filter(({ step }) => step < first),
  };
}

/** Runs the first checks, up to a number of them. */
async function collected(findings: AsyncIterable<CheckResult>, most: number): Promise<CheckResult[]> {
  const steps: CheckResult[] = [];
  if (most === 0) return steps;
  for await (const finding of findings) {
    steps.push(finding);
    if (steps.length === most) break;
  }
  return steps;
}

// Far more than the calls of an examination.
const TURNS_MAX = 10_000;

/** Advances the clock from one instant to the next until a promise settles. */
async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => void (isOver = true);
  promise.then(end, end);
  // Calls of the smart card service are played without time passing.
  for (let turns = 0; !isOver; turns += 1) {
    const [next] = clock.due;
    if (next === undefined && turns < TURNS_MAX) {
      await clock.advance(0);
      continue;
    }
    if (next === undefined) throw new Fault('internal', 'the driver waits for what the recording has not');
    await clock.advance(Math.max(next - clock.nowMs(), 0));
  }
  return promise;
}

function differencesOf(
  recordedSteps: readonly SavedStep[],
  device: ReturnType<typeof replayDevice>,
  steps: readonly CheckResult[],
): Difference[] {
  const found: Difference[] = [];
  if (device.difference) found.push(device.difference);
  else if (device.left !== undefined)
    found.push({ what: 'the driver sends', recorded: device.left, replayed: 'nothing more' });
  const longest = Math.max(recordedSteps.length, steps.length);
  for (let index = 0; index < longest; index += 1) {
    const [recorded, replayed] = [stepText(recordedSteps[index]), stepText(steps[index])];
    if (recorded === replayed) continue;
    const what = recordedSteps[index]?.step ?? steps[index]!.step;
    found.push({ what: `step '${what}'`, recorded, replayed });
    break;
  }
  return found;
}

function stepText(step: Pick<CheckResult, 'step' | 'ok' | 'detail'> | undefined): string {
  return step ? `${step.ok ? 'ok' : 'FAIL'} ${step.step}: ${step.detail}` : 'no such step';
}
