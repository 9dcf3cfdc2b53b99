import { Fault } from '../../protocol/failures.ts';
import type { Problem } from '../../protocol/schema-problems.ts';
import {
  checkHeader,
  isRow,
  isTable,
  isTerminals,
  type SnapshotHeader,
} from '../sandboxes/snapshots/snapshot-format.schema.ts';
import {
  checkTraceMachines,
  checkTraceSummary,
  type Trace,
  type TraceSnapshot,
} from './trace-format.schema.ts';
import { checkTraceItem, type TraceItem } from './trace-item.schema.ts';
import { isObject } from '../../protocol/outside-json.ts';

/**
 * Returns what the lines of a trace between its header and its end hold.
 * @throws Fault `bad_setting` for a line that is not as `trace-format.schema.ts` and `trace-item.schema.ts` say
 */
export function traceContent([first, begin, ...rest]: unknown[]): Omit<Trace, 'header'> {
  const summary = (rest.pop() ?? {}) as Pick<Trace, 'summary'>;
  if (!isObject(first) || !isObject(begin) || !isObject(summary))
    throw damagedTrace('a part of it is missing');
  refuse('its machines', checkTraceMachines(first));
  const { snapshot } = begin as { snapshot?: SnapshotHeader };
  refuse('its snapshot', checkHeader(snapshot));
  refuse('its summary', checkTraceSummary(summary.summary));
  const firstItem = rest.findIndex((line) => isObject(line) && 'kind' in line);
  const count = firstItem === -1 ? rest.length : firstItem;
  return {
    machines: (first as unknown as Trace).machines,
    snapshot: { header: snapshot!, lines: snapshotLinesOf(rest.slice(0, count)) },
    items: itemsOf(rest.slice(count)),
    summary: summary.summary,
  };
}

/** Returns the lines of a snapshot without its header and end. Which tables it has is known where it is restored. */
function snapshotLinesOf(lines: unknown[]): TraceSnapshot['lines'] {
  let table: { columns: readonly string[] } = { columns: [] };
  for (const line of lines) {
    if (isTable(line)) table = line;
    else if (!isRow(line, table) && !isTerminals(line))
      throw damagedTrace('a line of its snapshot has an unknown form');
  }
  return lines;
}

function itemsOf(lines: unknown[]): TraceItem[] {
  const calls = new Set<number>();
  let lastSeq = 0;
  for (const [index, line] of lines.entries()) {
    const name = `its item ${index + 1}`;
    refuse(name, checkTraceItem(line));
    const item = line as TraceItem;
    if (item.seq <= lastSeq) throw damagedTrace(`${name} is not after the one before it`);
    if (item.kind === 'reply' && !calls.delete(item.call))
      throw damagedTrace(`${name} is a reply to no call`);
    if (item.kind === 'call') calls.add(item.seq);
    lastSeq = item.seq;
  }
  return (lines as TraceItem[]).map(withMessageName);
}

/** Returns an item of a trace, also of one that was written before the names of messages were recorded. */
function withMessageName(item: TraceItem): TraceItem {
  if (item.kind !== 'output' || item.entry.message !== undefined) return item;
  const { kind, title } = item.entry;
  if (kind !== 'mqtt.command' && kind !== 'mqtt.report') return item;
  return { ...item, entry: { ...item.entry, message: title.split(' ', 1)[0]! } };
}

/** @throws Fault `bad_setting` for the first problem */
function refuse(name: string, [problem]: Problem[]): void {
  if (!problem) return;
  const { path, message } = problem;
  throw damagedTrace(path === '' ? `${name} ${message}` : `${name}: ${path} ${message}`);
}

/** Returns the failure for a trace that is damaged. */
export function damagedTrace(problem: string): Fault {
  return new Fault('bad_setting', `the trace is damaged: ${problem}`);
}
