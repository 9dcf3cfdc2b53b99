import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AclFile } from '../../../server/platform/broker/external-broker.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

/** Runs `broker-acl mosquitto`. Returns what it wrote, for another folder, and what it printed. */
export async function writtenAcl(
  fixture: SystemFixture,
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ files: AclFile[]; printed: string }> {
  const out = fixture.folder();
  const wrote = await fixture.run(['broker-acl', 'mosquitto', '--out', out, ...args], { env });
  expect(wrote).toMatchObject({ code: 0, stdout: '' });
  // Their folder is not the one that the broker of the test is run in.
  const files = readdirSync(out).map((filename) => ({
    filename,
    text: readFileSync(join(out, filename), 'utf8').replaceAll(`${out}/`, ''),
  }));
  return { files, printed: wrote.stderr };
}
