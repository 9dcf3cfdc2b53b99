import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../protocol/log.ts';
import { readClockOffset } from '../../server/platform/sandbox-clock.ts';
import { changeDatabase } from '../../server/platform/store/fill-database.ts';
import { readHeader } from '../../server/sandboxes/snapshots/read-snapshot.ts';
import { createTables } from '../../server/platform/store/migrations/migrate.ts';
import { restoreRows } from '../../server/sandboxes/snapshots/restore-rows.ts';
import type { FleetMember } from '../../simulator/fleet.ts';
import type { WorldOptions } from './world-options.ts';

// The address of each receiver of a world.
const RECEIVER = /^https:\/\/([\w-]+)\.example\/webhooks$/;

/**
 * Reads the file of a sandbox that was saved, and returns the options of a world that begins with it.
 * @throws Error (a Refusal) for a file that is no snapshot, is damaged, or was made by a newer version
 */
export async function worldOfSnapshot(path: string, seed: string): Promise<WorldOptions> {
  const file = { open: () => createReadStream(path), bytesMax: statSync(path).size };
  const header = await readHeader(file);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-snapshot-'));
  const database = join(folder, 'store.db');
  try {
    writeFileSync(database, '');
    const restored = await changeDatabase(
      { path: database, ephemeral: true, log: silentLog },
      async (transaction) => {
        await transaction((tx) => createTables(tx, 'sqlite', header.migration));
        const terminals = await restoreRows({ header, file }, 'sqlite', transaction);
        return transaction(async (tx) => ({
          terminals: (terminals ?? []) as FleetMember[],
          offsetMs: await readClockOffset(tx),
          urls: await tx.all<{ url: string }>('SELECT url FROM webhooks WHERE deleted = 0'),
        }));
      },
    );
    return {
      image: {
        database: readFileSync(database),
        terminals: restored.terminals,
        nowMs: header.clockMs,
        offsetMs: restored.offsetMs,
        receivers: restored.urls.flatMap(({ url }) => RECEIVER.exec(url)?.[1] ?? []),
        seed: `${seed} snapshot`,
      },
      // The keys of the terminals for card data are derived from it.
      settings: { pairingSecret: header.pairingSecret },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
