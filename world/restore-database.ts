import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LATEST_MS } from '../protocol/clock.ts';
import { silentLog } from '../protocol/log.ts';
import { removeFolder } from '../protocol/system/remove-folder.ts';
import { readClockOffset } from '../server/platform/sandbox-clock.ts';
import { changeDatabase } from '../server/platform/store/fill-database.ts';
import { createTables } from '../server/platform/store/migrations/migrate.ts';
import type { Queries } from '../server/platform/store/store.ts';
import { damaged } from '../server/sandboxes/snapshots/read-snapshot.ts';
import { restoreRows, type RestoredSnapshot } from '../server/sandboxes/snapshots/restore-rows.ts';
import type { FleetMember } from '../simulator/fleet.ts';

/** What a world begins with that was restored from a snapshot. */
interface RestoredDatabase<Found> {
  /** Bytes of a SQLite file. */
  database: Uint8Array;
  terminals: FleetMember[];
  offsetMs: number;
  found: Found;
}

/**
 * Writes the rows of a snapshot to a database, and returns it.
 * @param find reads from the rows what the caller needs of them
 * @throws Refusal `snapshot_damaged`
 */
export async function restoreDatabase<Found>(
  snapshot: RestoredSnapshot,
  find: (rows: Queries) => Promise<Found>,
): Promise<RestoredDatabase<Found>> {
  const folder = await mkdtemp(join(tmpdir(), 'tapbench-snapshot-'));
  const path = join(folder, 'store.db');
  try {
    await writeFile(path, '');
    const restored = await changeDatabase({ path, ephemeral: true, log: silentLog }, async (transaction) => {
      await transaction((tx) => createTables(tx, 'sqlite', snapshot.header.migration));
      const terminals = await restoreRows(snapshot, 'sqlite', transaction);
      return transaction(async (tx) => ({
        terminals: (terminals ?? []) as FleetMember[],
        offsetMs: await offsetIn(tx),
        found: await find(tx),
      }));
    });
    return { database: await readFile(path), ...restored };
  } finally {
    await removeFolder(folder);
  }
}

/** @throws Refusal `snapshot_damaged` for one that no clock has */
async function offsetIn(tx: Queries): Promise<number> {
  const offsetMs = await readClockOffset(tx);
  if (!(Math.abs(offsetMs) <= LATEST_MS)) throw damaged('its clock offset is out of range');
  return offsetMs;
}
