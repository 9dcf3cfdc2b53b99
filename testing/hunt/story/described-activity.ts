import { formatMinor } from '../../../protocol/money.ts';
import { isKeyOf } from '../../../protocol/tables.ts';
import type { Activity, ActivityOf } from '../../../server/platform/activities.ts';
import { CUT_POINTS, effectOf } from '../../../server/platform/faults/cut-points.ts';
import { describeStop } from '../hunted-fault.ts';
import type { RecordedStep } from './story-step.ts';

type Described = Omit<RecordedStep, 'atMs'>;

/** Returns the step of an activity; undefined for nothing. */
export function describeActivity(activity: Activity): Described | undefined {
  switch (activity.kind) {
    case 'fault.struck':
      return describedFault(activity);
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

function describedFault({ at, what, subject }: ActivityOf<'fault.struck'>): Described {
  const effect = isKeyOf(CUT_POINTS, at)
    ? effectOf(at, what).replaceAll('`delayMs`', 'a delay')
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
