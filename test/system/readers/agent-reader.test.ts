import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let server: Tapbench;
beforeAll(async () => {
  server = await fixture.tapbench();
});

async function refusedAgent(port: string, driver = 'pn532') {
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: fixture.folder() };
  const { code, stdout, stderr } = await fixture.run(['agent', '--driver', driver, '--port', port], { env });
  expect([code, stdout]).toEqual([1, '']);
  // The one of the start alone.
  expect((await server.api('GET', '/v1/in-person/terminals')).body.items).toHaveLength(1);
  return stderr;
}

test('agent: exits for a port that does not exist, and registers no terminal', async () => {
  const port = join(fixture.folder(), 'ttyReader');
  expect(await refusedAgent(port)).toMatch(
    new RegExp(`^tapbench: NXP PN532.* at ${port}: open the port: there is no port ${port}.*tapbench doctor`),
  );
});

test('agent: exits for a port that is no serial line', async () => {
  const port = join(fixture.folder(), 'notes');
  writeFileSync(port, 'mine');
  expect(await refusedAgent(port)).toContain('open the port:');
});

test('agent: exits for a device of another kind, naming the step that failed', async () => {
  const link = join(fixture.folder(), 'ttyReader');
  const twin = fixture.command(['twin', 'ccid', '--link', link, '--card', 'visa-contact-pin']);
  await twin.prints(/Ctrl-C/);
  const said = await refusedAgent(link, 'pn532');
  expect(said).toMatch(new RegExp(`^tapbench: NXP PN532.* at ${link}: (?!open the port)`));
  expect(said.trim().split('\n')).toHaveLength(1);
});
