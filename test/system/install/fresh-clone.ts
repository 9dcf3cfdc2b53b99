import { join } from 'node:path';
import { runProgram } from '../kit/run-program.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Clones this repository as it is committed, and returns the folder, in which nothing is installed. */
export async function cloneRepository(fixture: SystemFixture): Promise<string> {
  const folder = join(fixture.folder(), 'tapbench');
  const { code, output } = await runProgram('git', ['clone', '--quiet', ROOT, folder]);
  if (code !== 0) throw new Error(`git clone failed: ${output}`);
  return folder;
}
