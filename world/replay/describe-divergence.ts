import type { TimelineEntry } from '../../server/dashboard/view.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceItem } from '../../server/traces/trace-item.schema.ts';
import type { Divergence } from './replay-trace.ts';

/** A divergence as it is shown. */
export interface DescribedDivergence {
  /** What differs, such as `the reply to GET /v1/webhooks`. */
  what: string;
  /** Time of the recorded sandbox; null for what only the replay did. */
  atMs: number | null;
  /** Names of members that lead to the difference, with dots; empty for all of it. */
  path: string;
  /** Undefined for what only the replay did. */
  recorded: unknown;
  /** Undefined for what the replay did not do. */
  replayed: unknown;
}

/** Names the first place at which a replay differs from its recording. */
export function describeDivergence(trace: Trace, { item, difference }: Divergence): DescribedDivergence {
  const { path, recorded, replayed } = difference;
  if (!item) {
    const extra = replayed as TimelineEntry;
    return { what: nameOfOutput(extra), atMs: null, path: '', recorded, replayed: extra.title };
  }
  return { what: nameOf(trace, item), atMs: item.atMs, path: path.join('.'), recorded, replayed };
}

function nameOf({ items }: Trace, item: TraceItem): string {
  switch (item.kind) {
    case 'reply': {
      const call = items.find(({ seq }) => seq === item.call);
      return call?.kind === 'call' ? `the reply to ${call.method} ${call.url}` : 'a reply';
    }
    case 'output':
      return nameOfOutput(item.entry);
    case 'answer':
      return `the request ${item.request} ${item.url}`;
    case 'call':
      return `the request ${item.method} ${item.url}`;
    case 'act':
      return `${item.act.act} at ${item.terminalId}`;
    case 'terminal':
      return `the terminal ${item.terminalId}`;
  }
}

const WORDS: Record<TimelineEntry['kind'], string> = {
  act: 'the act',
  request: 'the request',
  'mqtt.command': 'the command',
  'mqtt.report': 'the report',
  'mqtt.refused': 'the refused message',
  'fault.plan': 'the plan of faults',
  fault: 'the fault',
  'serial.out': 'the bytes to the reader',
  'serial.in': 'the bytes from the reader',
  step: 'the step',
  posting: 'the posting',
  event: 'the event',
  webhook: 'the webhook',
};

function nameOfOutput({ kind, title, step, objectId, actionId, terminalId }: TimelineEntry): string {
  const about = objectId ?? actionId ?? terminalId;
  const machine = step ? ` of ${step.machineId}` : '';
  return `${WORDS[kind]} ${title}${machine}${about === null ? '' : ` (${about})`}`;
}
