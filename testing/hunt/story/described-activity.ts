import { formatMinor } from '../../../protocol/money.ts';
import { isKeyOf } from '../../../protocol/tables.ts';
import type { Activity, ActivityOf } from '../../../server/platform/activities.ts';
import { CUT_POINTS, effectOf } from '../../../server/platform/faults/cut-points.ts';
import { span } from '../../../server/platform/faults/fault-words.ts';
import { describeStop, type HuntedFault } from '../hunted-fault.ts';
import type { RecordedStep } from './story-step.ts';

type Described = Omit<RecordedStep, 'atMs'>;

/**
 * Returns the step of an activity; undefined for nothing.
 * @param plan the faults that strike
 */
export function describeActivity(activity: Activity, plan: readonly HuntedFault[]): Described | undefined {
  switch (activity.kind) {
    case 'fault.struck':
      return describedFault(activity, plan);
    case 'ledger.posted':
      return describedPosting(activity);
    case 'action.updated':
      return activity.status === 'InProgress' ? undefined : describedAction(activity);
    case 'webhook.attempted':
      return describedAttempt(activity);
    default:
      return undefined;
  }
}

function describedFault(
  { at, what, subject }: ActivityOf<'fault.struck'>,
  plan: readonly HuntedFault[],
): Described {
  const effect = isKeyOf(CUT_POINTS, at)
    ? effectOf(at, what).replaceAll('`delayMs`', delayIn(plan, at, what))
    : describeStop(what);
  const where = isKeyOf(CUT_POINTS, at) ? CUT_POINTS[at].title : 'The process of the shop';
  const of = subject === at ? '' : `, ${subject}`;
  return { who: 'fault', text: `${where}${of}: ${effect}`, kind: `${at} ${what}`, isRead: false };
}

function describedPosting({ lines }: ActivityOf<'ledger.posted'>): Described {
  const { type, amountMinor, currency } = lines[0]!;
  const text = `${type} ${formatMinor(amountMinor, currency)}`;
  return { who: 'money', text, kind: text, isRead: false };
}

function describedAction({ type, status, detail }: ActivityOf<'action.updated'>): Described {
  const kind = `${type}: ${status}`;
  return { who: 'terminal', text: detail === '' ? kind : `${kind}, ${detail}`, kind, isRead: false };
}

function describedAttempt({ eventType, answer, attempt }: ActivityOf<'webhook.attempted'>): Described {
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return { who: 'webhook', text: `${eventType}: ${answer}${tries}`, kind: eventType, isRead: false };
}

/** Returns how long a fault of a plan delays, where the plan has one such delay. */
function delayIn(plan: readonly HuntedFault[], at: string, what: string): string {
  const delays = plan.flatMap((fault) =>
    fault.at !== 'integrator' && fault.at === at && fault.what === what ? (fault.delayMs ?? []) : [],
  );
  const [delayMs, ...others] = new Set(delays);
  return delayMs === undefined || others.length > 0 ? 'a delay' : span(delayMs);
}
