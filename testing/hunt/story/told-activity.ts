import { formatMinor } from '../../../protocol/money.ts';
import { isKeyOf } from '../../../protocol/tables.ts';
import type { Activity, ActivityOf } from '../../../server/platform/activities.ts';
import { CUT_POINTS, effectOf } from '../../../server/platform/faults/cut-points.ts';
import { describeStop } from '../hunted-fault.ts';
import type { RecordedStep } from './story-step.ts';

type Told = Omit<RecordedStep, 'atMs'>;

/** Returns what a story tells of an activity; undefined for nothing. */
export function tellActivity(activity: Activity): Told | undefined {
  switch (activity.kind) {
    case 'fault.struck':
      return toldFault(activity);
    case 'ledger.posted':
      return toldPosting(activity);
    case 'action.updated':
      return activity.status === 'InProgress' ? undefined : toldAction(activity);
    case 'webhook.attempted':
      return toldAttempt(activity);
    default:
      return undefined;
  }
}

function toldFault({ at, what, subject }: ActivityOf<'fault.struck'>): Told {
  const effect = isKeyOf(CUT_POINTS, at)
    ? effectOf(at, what).replaceAll('`delayMs`', 'a delay')
    : describeStop(what);
  const where = isKeyOf(CUT_POINTS, at) ? CUT_POINTS[at].title : 'The process of the shop';
  const of = subject === at ? '' : `, ${subject}`;
  return { who: 'fault', text: `${where}${of}: ${effect}`, deed: `${at} ${what}`, isRead: false };
}

function toldPosting({ lines }: ActivityOf<'ledger.posted'>): Told {
  const { type, amountMinor, currency } = lines[0]!;
  const text = `${type} ${formatMinor(amountMinor, currency)}`;
  return { who: 'money', text, deed: text, isRead: false };
}

function toldAction({ type, status, detail }: ActivityOf<'action.updated'>): Told {
  const deed = `${type}: ${status}`;
  return { who: 'terminal', text: detail === '' ? deed : `${deed}, ${detail}`, deed, isRead: false };
}

function toldAttempt({ eventType, answer, attempt }: ActivityOf<'webhook.attempted'>): Told {
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return { who: 'webhook', text: `${eventType}: ${answer}${tries}`, deed: eventType, isRead: false };
}
