import type { TraceAnswer, TraceItem } from '../../server/traces/trace-item.schema.ts';
import { sanitizeText } from '../command-line/output.ts';

/** What a trace has recorded at one moment, as one line of text. */
interface TraceLine {
  /** Time of the recorded sandbox, epoch milliseconds. */
  atMs: number;
  kind: TraceItem['kind'];
  text: string;
  item: TraceItem;
}

/** Returns a line for each item of a trace, in the order in which they were recorded. */
export function traceLines(items: readonly TraceItem[]): TraceLine[] {
  const calls = new Map<number, string>();
  return items.map((item) => {
    if (item.kind === 'call') calls.set(item.seq, `${item.method} ${item.url}`);
    return { atMs: item.atMs, kind: item.kind, text: sanitizeText(describe(item, calls)), item };
  });
}

/** @param calls each call by its number */
function describe(item: TraceItem, calls: ReadonlyMap<number, string>): string {
  switch (item.kind) {
    case 'call':
      return `${item.method} ${item.url}`;
    case 'reply':
      return `${item.status ?? 'no status'} to ${calls.get(item.call) ?? 'a request'}`;
    case 'act': {
      const { act, ...members } = item.act;
      return `${act} ${Object.values(members).flat().join(' ')} at ${item.terminalId}`;
    }
    case 'terminal':
      return `${item.terminalId} is simulated`;
    case 'answer':
      return describeAnswer(item);
    case 'output':
      return `${item.entry.kind}  ${item.entry.title}`;
  }
}

function describeAnswer({ request, url, answer }: TraceAnswer): string {
  if (typeof answer === 'boolean') return `${url} ${answer ? 'may' : 'may not'} be called`;
  return `${'status' in answer ? answer.status : answer.problem} to ${request} ${url}`;
}
