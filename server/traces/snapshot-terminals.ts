import { toPastAction, type PastActionRow } from '../dashboard/history/past-action.records.ts';
import type { RecordedContent } from '../dashboard/page/trace/trace-content.ts';
import type { BoardRow } from '../dashboard/fleet.records.ts';
import type { TableLine } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import type { TraceSnapshot } from './trace-format.schema.ts';

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
