import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { isDrawn } from '../../../server/dashboard/attribution.ts';
import { migrate, MIGRATIONS } from '../../../server/platform/store/migrations/migrate.ts';
import { openSqlite } from '../../../server/platform/store/sqlite.ts';
import { copiedTables } from '../../../server/platform/store/tables.ts';
import type { TableLine } from '../../../server/sandboxes/snapshots/snapshot-format.schema.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import type { TraceItem } from '../../../server/traces/trace-item.schema.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

/** The last migration before requests, attempts of webhooks, timelines and plans of faults were stored. */
const MIGRATION = MIGRATIONS.findIndex(({ name }) => name === '0020-claims-in-memory') + 1;

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

/** Records a refund and a payment, in a sandbox in which something happened before. */
async function recordSession(): Promise<Trace> {
  const till = openTill(world, await world.addTerminal());
  await world.listen('shop', ['PaymentSession.captured', 'PaymentSession.refunded']);
  const session = await till.takes(1742);
  await openCheckout(world.api).approved();
  await world.advance({ minutes: 2 });
  const recording = await world.server.services.recordings!.startUnlisted('a morning');
  await openCheckout(world.api).move(session, 'refunds', { amount: 250 });
  await world.api.post('/v1/customers', { email: 'ana@example.com' });
  await till.takes(500);
  await world.advance({ minutes: 60 * 24 * 8 });
  return recording.stop();
}

/** Returns the lines of a snapshot as a version with earlier tables wrote them: without what later ones added. */
async function earlierLines(lines: readonly unknown[]): Promise<unknown[]> {
  const earlier = await openSqlite({ path: ':memory:', log: silentLog });
  try {
    await migrate(earlier, silentLog, { migrations: MIGRATIONS.slice(0, MIGRATION) });
    const tables = await earlier.transaction((tx) => copiedTables(tx, 'sqlite', MIGRATION));
    const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
    let kept: number[] | undefined;
    return lines.flatMap((line) => {
      if (Array.isArray(line)) return kept ? [kept.map((index) => line[index] as unknown)] : [];
      if (!('table' in (line as object))) return [line];
      const { table, columns, last } = line as TableLine;
      const known = columnsOf.get(table);
      kept = known && columns.flatMap((column, index) => (known.includes(column) ? [index] : []));
      return kept ? [{ table, columns: kept.map((index) => columns[index]), last }] : [];
    });
  } finally {
    await earlier.close();
  }
}

/** Whether version 1 of the format has such an item. */
function isInVersion1(item: TraceItem): boolean {
  if (item.kind !== 'output') return true;
  const { kind, objectId, terminalId } = item.entry;
  if (kind !== 'event' && kind !== 'webhook') return kind !== 'posting';
  return isDrawn(objectId) || (objectId !== null && objectId === terminalId);
}

test('replay: a trace of version 1, with a snapshot of earlier tables, is identical', async () => {
  const trace = await recordSession();
  const items = trace.items.filter(isInVersion1);
  expect(items.length).toBeLessThan(trace.items.length - 2);
  const { header, lines } = trace.snapshot;
  const snapshot = { header: { ...header, migration: MIGRATION }, lines: await earlierLines(lines) };
  expect(snapshot.lines.length).toBeLessThan(lines.length);

  const older: Trace = { ...trace, header: { ...trace.header, version: 1 }, snapshot, items };
  const result = await replayTrace(older);
  expect('divergence' in result && describeDivergence(older, result.divergence)).toBe(false);
  expect(result).toMatchObject({ outcome: 'identical', compared: expect.any(Number) });
});

test('replay: a trace whose snapshot is of later tables is refused, with the version that wrote it', async () => {
  const trace = await recordSession();
  Object.assign(trace.snapshot.header, { migration: MIGRATIONS.length + 1, writtenBy: '9.1.0' });
  await expect(replayTrace(trace)).rejects.toThrow(/made by a newer version.*9\.1\.0/);
});
