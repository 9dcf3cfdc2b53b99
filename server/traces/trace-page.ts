import { Fault } from '../../protocol/failures.ts';
import type { ChartLayout, DrawnMachine, LayOut } from '../dashboard/chart/chart.ts';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { dataBlock, readPageParts, renderOfflinePage } from '../dashboard/offline-page.ts';
import type { TraceContent, RecordedContent } from '../dashboard/page/trace/trace-content.ts';
import type { MachineShape, TimelineEntry } from '../dashboard/view.ts';
import { toPastAction, type PastActionRow } from '../dashboard/history/past-action.records.ts';
import type { BoardRow } from '../dashboard/fleet.records.ts';
import type { TableLine } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import { CHARACTERS_PER_TURN, nextTurn } from '../platform/loop-turns.ts';
import { textsOf } from './packed-snapshot.ts';
import { traceEntries } from './trace-entries.ts';
import type { Trace, TraceSnapshot } from './trace-format.schema.ts';

const PAGE_FOLDER = 'server/dashboard/trace-page';

/** Tables of a snapshot that the viewer shows. */
export const SHOWN_TABLES = ['terminals', 'actions'] as const;

// Beside the event loop, which a server has other work for.
const pack = promisify(gzip);

/**
 * Renders the viewer of a trace as one HTML file, which needs neither a server nor the network.
 * @param layOut lays out the charts of the machines
 * @param characters of JSON that it shows of the items, at most: the first ones
 */
export async function renderTracePage(trace: Trace, layOut: LayOut, characters = Infinity): Promise<string> {
  const { title, sandbox } = trace.header;
  return renderOfflinePage(readPageParts(PAGE_FOLDER), {
    title: title === '' ? `Trace of the sandbox ${sandbox}` : title,
    blocks: [await traceBlock('trace', trace, { layOut, characters })],
  });
}

interface ShownTrace {
  layOut: LayOut;
  characters: number;
}

/** Returns the block of a page that has a trace. */
export async function traceBlock(
  id: string,
  trace: Trace,
  { layOut, characters }: ShownTrace,
): Promise<string> {
  const content = await traceContent(await withinLimit(trace, characters), layOut);
  return dataBlock(id, await pack(await jsonOf(content)));
}

/** Returns a trace with its first items, and marks it as incomplete where some are left out. */
async function withinLimit(trace: Trace, characters: number): Promise<Trace> {
  if (characters === Infinity) return trace;
  const { items, summary } = trace;
  let left = characters;
  let ofTurn = 0;
  for (const [index, item] of items.entries()) {
    const { length } = JSON.stringify(item);
    left -= length;
    if (left < 0) return { ...trace, items: items.slice(0, index), summary: { ...summary, isCut: true } };
    ofTurn += length;
    if (ofTurn < CHARACTERS_PER_TURN) continue;
    ofTurn = 0;
    await nextTurn();
  }
  return trace;
}

/** Returns the JSON of the content. The event loop has turns meanwhile: a large one takes half a second. */
async function jsonOf({ entries, ...rest }: TraceContent): Promise<string> {
  const parts: string[] = [];
  // JSON has no line breaks of its own.
  for await (const { text } of textsOf(entries)) parts.push(text.trimEnd().replaceAll('\n', ','));
  return `${JSON.stringify(rest).slice(0, -1)},"entries":[${parts.join(',')}]}`;
}

async function traceContent(
  { header, machines, snapshot, items, summary }: Trace,
  layOut: LayOut,
): Promise<TraceContent> {
  const { title, sandbox, clockMs, seed, writtenBy } = header;
  const entries = traceEntries(items);
  const stepped = machinesOf(entries);
  const shapes = machines
    .filter(({ machineId }) => stepped.includes(machineId))
    .toSorted((one, other) => stepped.indexOf(one.machineId) - stepped.indexOf(other.machineId));
  const drawn: DrawnMachine[] = [];
  for (const shape of shapes) {
    const layout = await layOutIfPossible(shape, layOut);
    if (layout) drawn.push({ shape, layout });
  }
  return {
    title,
    sandbox,
    clockMs,
    seed,
    writtenBy,
    isCut: summary.isCut,
    notReplayable: summary.notReplayable,
    found: summary.found ?? null,
    machines: drawn,
    entries,
    ...snapshotTerminals(snapshot),
  };
}

/** Returns the chart of a machine; undefined for one that cannot be drawn, as a terminal may describe any. */
async function layOutIfPossible(shape: MachineShape, layOut: LayOut): Promise<ChartLayout | undefined> {
  try {
    return await layOut(shape);
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined;
    throw thrown;
  }
}

/** The machines that took steps, those of terminals first. */
function machinesOf(entries: readonly TimelineEntry[]): string[] {
  const ids = (ofTerminals: boolean) =>
    entries.flatMap(({ step, objectId }) =>
      step && (objectId === null) === ofTerminals ? [step.machineId] : [],
    );
  return [...new Set([...ids(true), ...ids(false)])];
}

/** Returns the terminals and actions of the snapshot with which a trace begins. */
export function snapshotTerminals(snapshot: TraceSnapshot): Pick<RecordedContent, 'terminals' | 'actions'> {
  return {
    terminals: rowsOf<BoardRow & { deleted: number }>(snapshot, 'terminals')
      .filter(({ deleted }) => deleted === 0)
      .map((row) => ({
        id: row.id,
        name: row.name,
        serialNumber: row.serial_number,
        accountId: row.account_id,
        deviceType: row.device_type,
        reader: null,
        simulated: row.simulated_by !== null,
        online: row.online === 1,
        screen: [],
        action: null,
      })),
    actions: rowsOf<PastActionRow>(snapshot, 'actions').map(toPastAction),
  };
}

/** The rows of a table, by the names of its columns. */
function rowsOf<R>({ lines }: TraceSnapshot, name: string): R[] {
  const rows: R[] = [];
  let table: TableLine | undefined;
  for (const line of lines) {
    if (!Array.isArray(line)) table = line as TableLine;
    else if (table?.table === name)
      rows.push(Object.fromEntries(table.columns.map((column, index) => [column, line[index]])) as R);
  }
  return rows;
}
