import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Json } from '../kit/http-call.ts';
import { runProgram } from '../kit/run-program.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

/** Programs of others for tills, as their makers publish them. */
const VERSIONS = {
  '@adyen/api-library': '32.1.0',
  'node-thermal-printer': '4.6.1',
  '@point-of-sale/receipt-printer-encoder': '4.0.1',
};

const LIMIT_MS = 110_000;

/** Installs programs of others by npm, and returns what loads them. */
export async function installOutside(
  fixture: SystemFixture,
  ...names: (keyof typeof VERSIONS)[]
): Promise<(name: string) => Json> {
  const folder = fixture.folder();
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const packages = names.map((name) => `${name}@${VERSIONS[name]}`);
  const { code, output } = await runProgram('npm', ['install', ...flags, ...packages], { limitMs: LIMIT_MS });
  if (code !== 0) throw new Error(`npm cannot install ${packages.join(', ')}: ${output}`);
  return createRequire(join(folder, 'package.json'));
}
