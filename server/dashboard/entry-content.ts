import { formatMinor } from '../../protocol/money.ts';
import { ReversalReported, type ReportedReversal } from '../../protocol/messages/reversal.messages.ts';
import type { ApiCall, MachineStep, ActivityOf } from '../platform/activities.ts';
import type { TimelineEntry } from './view.ts';

/** The part of an entry that is made when a page shows it. */
export type EntryContent = Pick<
  TimelineEntry,
  'title' | 'tone' | 'detail' | 'message' | 'bytes' | 'plan' | 'fault' | 'step'
>;
type Tone = TimelineEntry['tone'];

const ID_PATTERN = /_[0-7][0-9A-HJKMNP-TV-Z]{25}|_[0-9a-f]{8}-[0-9a-f]{4}-/;

/** `POST …/payment`, `POST /payment-sessions`, `PATCH /terminals/…`: what a reader scans a list of calls for. */
export function callTitle({ method, path }: Pick<ApiCall, 'method' | 'path'>): string {
  const parts = path.split('/').slice(1);
  const last = parts.at(-1)!;
  if (ID_PATTERN.test(last)) return `${method} /${parts.at(-2)}/…`;
  const within = parts.length > 1 && ID_PATTERN.test(parts.at(-2)!);
  return within ? `${method} …/${last}` : `${method} /${parts.slice(1).join('/')}`;
}

export function describeCall({ call, body, status, reply }: ActivityOf<'call.answered'>): EntryContent {
  const { method, path } = call;
  return {
    title: `${callTitle(call)} ${status}`,
    tone: callTone(status),
    detail: { request: { method, path, body }, response: { status, body: reply() } },
  };
}

export function callTone(status: number): Tone {
  return status < 400 ? 'plain' : status < 500 ? 'warn' : 'bad';
}

const TONES: Record<string, Tone> = {
  approved: 'good',
  declined: 'bad',
  Succeeded: 'good',
  Failed: 'bad',
  NotReversed: 'bad',
  Cancelled: 'warn',
  Reversed: 'warn',
};

/** Members that distinguish a message from others of its name, in the order of the title. */
const DISTINGUISHING = [
  'type',
  'outcome',
  'copy',
  'status',
  'code',
  'reference',
  'reason',
  'act',
  'card',
  'state',
  'ok',
  'lines',
] as const;

export function describeMessage({
  name,
  body,
}: ActivityOf<'message.sent' | 'message.received'>): EntryContent {
  const detail = body() as Record<string, unknown>;
  // The act of a simulation is a level down.
  const fields = { ...detail, ...(typeof detail['act'] === 'object' && (detail['act'] as object)) };
  const words = DISTINGUISHING.map((member) => wordOf((fields as Record<string, unknown>)[member])).filter(
    Boolean,
  );
  if (name === ReversalReported.name) words.push(reversedAmountOf(detail as ReportedReversal));
  const tone = words.map((word) => TONES[word]).find(Boolean) ?? 'plain';
  return { title: [name, ...words].join(' '), tone, detail, message: name };
}

function reversedAmountOf({ amountMinor, currency }: ReportedReversal): string {
  return formatMinor(amountMinor, currency);
}

export function describeRefused({ message, reason }: ActivityOf<'message.refused'>): EntryContent {
  return { title: `${message}: ${reason}`, tone: 'bad', detail: { message, reason } };
}

export function describePlan({ planId, title, faults }: ActivityOf<'fault.planned'>): EntryContent {
  const words = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  return {
    title: `plan of ${words}${title === '' ? '' : `: ${title}`}`,
    tone: 'plain',
    detail: { plan: planId, title, faults },
    plan: { planId, title, faults },
  };
}

export function describeFault({ planId, at, what, subject, ids }: ActivityOf<'fault.struck'>): EntryContent {
  return {
    title: `${what}: ${subject}`,
    tone: 'warn',
    detail: { plan: planId, at, what, subject, ids },
    fault: { planId, what, at, subject },
  };
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return `“${value.filter(Boolean).join(' / ')}”`;
  if (typeof value === 'boolean') return value ? '' : 'refused';
  return typeof value === 'string' ? value : '';
}

const BAD_STATES = /(^|\.)(failed|declined|abandoning|reversing|voided|lost|returned|pastDue)$/;
const GOOD_STATES = /(^|\.)(succeeded|captured|completed|won|verified|active)$/;

/** A step of a machine of the server or of a terminal. */
type DescribedStep = Omit<MachineStep, 'objectId' | 'action'> &
  Pick<ActivityOf<'terminal.stepped'>, 'device'>;

export function describeStep(step: DescribedStep): EntryContent {
  const { machineId, event, from, state, deadlineMs, device } = step;
  const tone = BAD_STATES.test(state) ? 'bad' : GOOD_STATES.test(state) ? 'good' : 'plain';
  return {
    title: from === null || from === state ? state : `${from} → ${state}`,
    tone,
    detail: { machine: machineId, event, from, state, deadlineMs, ...(device && { device }) },
    step: { machineId, event, from, state, deadlineMs, ...(device && { device }) },
  };
}

export function describePosting({ lines }: ActivityOf<'ledger.posted'>): EntryContent {
  const { type, amountMinor, currency, description } = lines[0]!;
  return {
    title: [type, formatMinor(amountMinor, currency), ...(description ? [`(${description})`] : [])].join(' '),
    tone: 'plain',
    detail: { lines },
  };
}

const EVENT_TONES: [RegExp, Tone][] = [
  [/\.(approved|captured|paid)$/, 'good'],
  [/\.declined$/, 'bad'],
  [/\.(voided|requires_action)$/, 'warn'],
];

export function describeEvent(eventType: string, detail: unknown): EntryContent {
  const tone = EVENT_TONES.find(([type]) => type.test(eventType))?.[1] ?? 'plain';
  return { title: eventType, tone, detail };
}

export function describeAttempt(activity: ActivityOf<'webhook.attempted'>): EntryContent {
  const { kind: _kind, ...detail } = activity;
  const tries = activity.attempt > 1 ? `, attempt ${activity.attempt}` : '';
  const tone = activity.acknowledged ? 'good' : activity.nextMs === null ? 'bad' : 'warn';
  return {
    title: `${activity.eventType}: ${activity.answer}${tries} → ${new URL(activity.url).host}`,
    tone,
    detail,
  };
}
