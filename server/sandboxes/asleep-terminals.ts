import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';

const ASLEEP = 'terminals-asleep.json';

/**
 * Keeps the simulated terminals of a sandbox that sleeps as they stood, as JSON in a folder. It is not synced: after a
 * power failure the terminals go on from their journals.
 */
export async function saveAsleep(folder: string, terminals: unknown): Promise<void> {
  if (terminals === undefined) return;
  await writeFile(join(folder, ASLEEP), JSON.stringify(terminals), { mode: PRIVATE_FILE });
}

/** Returns what `saveAsleep` kept, once: later the terminals stand elsewhere. Undefined for nothing. */
export async function takeAsleep(folder: string): Promise<unknown> {
  const path = join(folder, ASLEEP);
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  await rm(path);
  return JSON.parse(text);
}
