import type { Call, MachineStep, Notice } from '../platform/notices.ts';
import type { TimelineEntry } from './view.ts';

/** What of an entry is made when somebody looks at it. */
export type Shown = Pick<TimelineEntry, 'title' | 'tone' | 'detail' | 'bytes' | 'step'>;
type Tone = TimelineEntry['tone'];
type Told<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

const LOOKS_LIKE_ID = /_[0-7][0-9A-HJKMNP-TV-Z]{25}|_[0-9a-f]{8}-[0-9a-f]{4}-/;

/** `POST …/payment`, `POST /payment-sessions`, `PATCH /terminals/…`: what one looks for in a list of calls. */
function callTitle({ method, path }: Call): string {
  const parts = path.split('/').slice(1);
  const last = parts.at(-1)!;
  if (LOOKS_LIKE_ID.test(last)) return `${method} /${parts.at(-2)}/…`;
  const within = parts.length > 1 && LOOKS_LIKE_ID.test(parts.at(-2)!);
  return within ? `${method} …/${last}` : `${method} /${parts.slice(1).join('/')}`;
}

export function showCall({ call, body, status, reply }: Told<'call.answered'>): Shown {
  const { method, path } = call;
  return {
    title: `${callTitle(call)} ${status}`,
    tone: status < 400 ? 'plain' : status < 500 ? 'warn' : 'bad',
    detail: { request: { method, path, body }, response: { status, body: reply } },
  };
}

const TONES: Record<string, Tone> = {
  approved: 'good',
  declined: 'bad',
  Succeeded: 'good',
  Failed: 'bad',
  Cancelled: 'warn',
};

/** Members of a message that tell it from others of its name, in the order in which they are said. */
const TELLING = ['type', 'outcome', 'copy', 'status', 'code', 'act', 'card', 'state', 'ok', 'lines'] as const;

export function showMessage({ name, body }: Told<'message.sent' | 'message.received'>): Shown {
  const detail = body() as Record<string, unknown>;
  // The act of a simulation is a level down.
  const said = { ...detail, ...(typeof detail['act'] === 'object' && (detail['act'] as object)) };
  const words = TELLING.map((member) => wordOf((said as Record<string, unknown>)[member])).filter(Boolean);
  const tone = words.map((word) => TONES[word]).find(Boolean) ?? 'plain';
  return { title: [name, ...words].join(' '), tone, detail };
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return `“${value.filter(Boolean).join(' / ')}”`;
  if (typeof value === 'boolean') return value ? '' : 'refused';
  return typeof value === 'string' ? value : '';
}

const BAD_STATES = /(^|\.)(failed|declined|abandoning|reversing|voided|lost|returned|pastDue)$/;
const GOOD_STATES = /(^|\.)(succeeded|captured|completed|won|verified|active)$/;

export function showStep(step: Omit<MachineStep, 'objectId' | 'action'>): Shown {
  const { machineId, event, from, state, deadlineMs } = step;
  const tone = BAD_STATES.test(state) ? 'bad' : GOOD_STATES.test(state) ? 'good' : 'plain';
  return {
    title: from === null || from === state ? state : `${from} → ${state}`,
    tone,
    detail: { machine: machineId, event, from, state, deadlineMs },
    step: { machineId, event, from, state, deadlineMs },
  };
}

const EVENT_TONES: [RegExp, Tone][] = [
  [/\.(approved|captured|paid)$/, 'good'],
  [/\.declined$/, 'bad'],
  [/\.(voided|requires_action)$/, 'warn'],
];

export function showEvent(eventType: string, detail: unknown): Shown {
  const tone = EVENT_TONES.find(([type]) => type.test(eventType))?.[1] ?? 'plain';
  return { title: eventType, tone, detail };
}

export function showAttempt(told: Told<'webhook.attempted'>): Shown {
  const { kind: _kind, ...detail } = told;
  const tries = told.attempt > 1 ? `, attempt ${told.attempt}` : '';
  const tone = told.acknowledged ? 'good' : told.nextMs === null ? 'bad' : 'warn';
  return { title: `${told.eventType}: ${told.answer}${tries} → ${new URL(told.url).host}`, tone, detail };
}
