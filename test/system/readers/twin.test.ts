import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

async function startTwin(link: string) {
  const twin = fixture.command(['twin', 'pn532', '--link', link, '--card', 'none']);
  await twin.prints(/Ctrl-C/);
  return twin;
}

test('twin: a second one on the same link is refused with a reason, and the first keeps its link', async () => {
  const folder = fixture.folder();
  const link = join(folder, 'ttyReader');
  const first = await startTwin(link);
  const device = readlinkSync(link);

  expect(await fixture.run(['twin', 'ccid', '--link', link, '--card', 'visa-contact-pin'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `tapbench: another twin is running at ${link}: stop it, or choose another name with --link\n`,
  });
  expect(readlinkSync(link)).toBe(device);
  expect(await fixture.run(['doctor', link, '--driver', 'pn532'])).toMatchObject({ code: 0 });

  await first.kill('SIGINT');
  expect(readdirSync(folder)).toEqual([]);
});

test('twin: the link of a killed twin can be used again', async () => {
  const link = join(fixture.folder(), 'ttyReader');
  await (await startTwin(link)).kill('SIGKILL');
  expect(existsSync(`${link}.lock`)).toBe(true);
  const second = await startTwin(link);
  expect(await fixture.run(['doctor', link, '--driver', 'pn532'])).toMatchObject({ code: 0 });
  expect(await second.kill('SIGINT')).toMatchObject({ code: 0 });
});
