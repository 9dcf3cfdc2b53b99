import { createReadStream, statSync, readFileSync } from 'node:fs';
import { ownSettingsIn } from '../../server/platform/own-settings.schema.ts';
import type { Queries } from '../../server/platform/store/store.ts';
import { readHeader } from '../../server/sandboxes/snapshots/read-snapshot.ts';
import type { RestoredSnapshot } from '../../server/sandboxes/snapshots/restore-rows.ts';
import { restoreDatabase } from '../../world/restore-database.ts';
import type { WorldCopy } from './world-copy.ts';
import { type WorldOptions, SETTINGS } from './world-options.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { isTrace, readTrace } from '../../server/traces/trace-file.ts';
import { settingsOfTrace, type Trace } from '../../server/traces/trace-format.schema.ts';
import {
  fillPlaceholders,
  type FilledPlaceholders,
  filledSnapshot,
} from '../../world/replay/filled-placeholders.ts';
import { answersOf } from '../../world/replay/recorded-answers.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

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
    copy: await restoredCopy({ header, file }, { nowMs: header.clockMs, seed: `${seed} snapshot` }),
    // The keys of the terminals for card data are derived from it.
    settings: { pairingSecret: header.pairingSecret, ...ownSettingsIn(header) },
  };
}

/** Returns the copy of a world that begins with a snapshot. @throws Refusal `snapshot_damaged` */
async function restoredCopy(
  snapshot: RestoredSnapshot,
  { nowMs, seed }: Pick<WorldCopy, 'nowMs' | 'seed'>,
): Promise<WorldCopy> {
  const { database, terminals, offsetMs, found } = await restoreDatabase(snapshot, receiverNames);
  return { database, terminals, nowMs, offsetMs, receivers: found, seed };
}

/** Returns the names of the receivers for the webhooks of a sandbox. */
async function receiverNames(rows: Queries): Promise<string[]> {
  const webhooks = await rows.all<{ url: string }>('SELECT url FROM webhooks WHERE deleted = 0');
  return webhooks.flatMap(({ url }) => RECEIVER.exec(url)?.[1] ?? []);
}

/** How a world begins as a trace does. */
interface TraceWorld {
  options: WorldOptions;
  /** Puts values in the place of the placeholders of the trace. */
  fill: FilledPlaceholders['fill'];
}

/**
 * Reads a trace file. Returns undefined for a file that is none.
 * @throws Error for one that is damaged, was made by a newer version, or cannot be replayed
 */
export async function worldOfTrace(path: string, seed: string | undefined): Promise<TraceWorld | undefined> {
  const bytes = readFileSync(path);
  if (!isTrace(bytes)) return undefined;
  const trace = await readTrace(bytes);
  const { header, summary } = trace;
  if (summary.notReplayable.length > 0)
    throw new Error(`startWorld: ${path} cannot be replayed: ${summary.notReplayable.join('; ')}`);
  const usedSeed = seed ?? header.seed ?? 'world';
  const { fill } = placeholdersOf(trace, usedSeed);
  return {
    fill,
    options: {
      copy: await restoredCopy(await filledSnapshot(trace, { fill }), {
        nowMs: header.clockMs,
        seed: `${usedSeed} trace`,
      }),
      settings: settingsOfTrace(header),
      answers: answersOf(trace, fill),
      pacedByDevices: true,
    },
  };
}

/** The keys of the recorded sandbox are those of the world. */
function placeholdersOf({ header, summary }: Trace, seed: string): FilledPlaceholders {
  const clock = new VirtualClock(header.clockMs);
  const placeholders = fillPlaceholders(summary.secrets, { clock, random: seededRandom(`${seed} secrets`) });
  for (const { number, of } of summary.secrets) {
    const value = of === null ? undefined : SETTINGS[of];
    if (value !== undefined) placeholders.bind(number, value);
  }
  return placeholders;
}
