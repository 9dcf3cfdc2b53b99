import { expect, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

/** What `agent` says with a driver for a device that is not there. */
async function problemWith(driver: string, secretKey: string): Promise<string> {
  const on = createCliFixture({ SECRET_KEY: secretKey });
  await on.run('agent', '--driver', driver, '--port', '/dev/no-such-device');
  return on.err;
}

test('agent: refuses a payment terminal whose outcome may stay unknown where nobody could settle it', async () => {
  expect(await problemWith('concert', 'sk_live_key')).toContain('--driver concert needs a sandbox key');
  expect(await problemWith('concert', 'sk_sandbox_key')).not.toContain('needs a sandbox key');
  expect(await problemWith('zvt', 'sk_live_key')).not.toContain('needs a sandbox key');
});

test.each([
  ['agent', ['--port', '/dev/no-such-device']],
  ['doctor', ['/dev/no-such-device']],
])('%s: refuses a file of --terminal-settings that the driver does not read', async (command, place) => {
  const on = createCliFixture({ SECRET_KEY: 'sk_sandbox_key' });
  await on.run(command, ...place, '--driver', 'zvt', '--terminal-settings', 'no-such-file.json');
  expect(on.err).toContain('--terminal-settings: --driver zvt reads none: leave it out');
});
