import { createReadStream, statSync } from 'node:fs';
import type { Queries } from '../../server/platform/store/store.ts';
import { readHeader } from '../../server/sandboxes/snapshots/read-snapshot.ts';
import type { RestoredSnapshot } from '../../server/sandboxes/snapshots/restore-rows.ts';
import { restoreDatabase } from '../../world/restore-database.ts';
import type { WorldImage } from './world-image.ts';
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
  return {
    image: await restoredImage({ header, file }, { nowMs: header.clockMs, seed: `${seed} snapshot` }),
    // The keys of the terminals for card data are derived from it.
    settings: {
      pairingSecret: header.pairingSecret,
      ...(header.idempotencyKeys && { idempotencyKeys: header.idempotencyKeys }),
      ...(header.strict && { strict: header.strict }),
    },
  };
}

/** Returns the image of a world that begins with a snapshot. @throws Refusal `snapshot_damaged` */
export async function restoredImage(
  snapshot: RestoredSnapshot,
  { nowMs, seed }: Pick<WorldImage, 'nowMs' | 'seed'>,
): Promise<WorldImage> {
  const { database, terminals, offsetMs, found } = await restoreDatabase(snapshot, receiverNames);
  return { database, terminals, nowMs, offsetMs, receivers: found, seed };
}

/** Returns the names of the receivers for the webhooks of a sandbox. */
async function receiverNames(rows: Queries): Promise<string[]> {
  const webhooks = await rows.all<{ url: string }>('SELECT url FROM webhooks WHERE deleted = 0');
  return webhooks.flatMap(({ url }) => RECEIVER.exec(url)?.[1] ?? []);
}
