import { readFileSync } from 'node:fs';
import { seededRandom } from '../../protocol/ids.ts';
import { isTrace, readTrace } from '../../server/traces/trace-file.ts';
import { settingsOfTrace, type Trace } from '../../server/traces/trace-format.schema.ts';
import { fillPlaceholders, type FilledPlaceholders } from '../../world/replay/filled-placeholders.ts';
import { filledSnapshot } from '../../world/replay/filled-snapshot.ts';
import { answersOf } from '../../world/replay/answer-as-recorded.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { restoredImage } from './snapshot-image.ts';
import { SETTINGS, type WorldOptions } from './world-options.ts';

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
      image: await restoredImage(await filledSnapshot(trace, { fill }), {
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
