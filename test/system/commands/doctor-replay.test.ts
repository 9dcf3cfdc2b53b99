import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Starts a twin. Returns the port at which doctor finds it. */
async function twinAt(driver: string, overTcp: boolean, card: string): Promise<string> {
  const link = join(fixture.folder(), 'ttyReader');
  const place = overTcp ? ['--tcp', '0'] : ['--link', link];
  const twin = fixture.command(['twin', driver, ...place, '--card', card]);
  await twin.prints(/Ctrl-C/);
  return overTcp ? /tcp:\/\/127\.0\.0\.1:\d+/.exec(twin.stdout)![0] : link;
}

/** A device that answers each message with the same bytes, or with nothing. */
async function answering(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (bytes !== '') socket.on('data', () => socket.write(Buffer.from(bytes, 'hex')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs doctor at a port. Returns what it printed, its file, and the path of that. */
async function saved(driver: string, port: string) {
  const file = join(fixture.folder(), 'doctor.json');
  const run = await fixture.run(['doctor', port, '--driver', driver, '--save', file]);
  return { run, file, text: readFileSync(file, 'utf8') };
}

const replay = (file: string) => fixture.run(['doctor', '--replay', file]);

test.each([
  ['pn532', false, 'visa-contactless'],
  ['ccid', false, 'visa-contact-pin'],
  ['vivotech', false, 'visa-contactless'],
  ['zvt', false, 'visa-contactless'],
  ['zvt', true, 'visa-contactless'],
  ['caisse-ap', true, 'visa-contactless'],
  ['ecr17', false, 'visa-contactless'],
  ['ecr17', true, 'visa-contactless'],
  ['concert', false, 'visa-contactless'],
] as const)(
  'doctor --save: what %s (over TCP: %s) did is played again to its driver',
  async (driver, overTcp, card) => {
    const { run, file, text } = await saved(driver, await twinAt(driver, overTcp, card));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(`saved to ${file}`) });
    const examination = JSON.parse(text);
    expect(examination).toMatchObject({
      format: 'tapbench-doctor-1',
      node: process.version,
      platform: process.platform,
      driver,
      steps: expect.arrayContaining([expect.objectContaining({ ok: true, tookMs: expect.any(Number) })]),
    });
    const played = await replay(file);
    expect(played.stdout).toMatch(/\nidentical: [1-9]\d* steps, [1-9]\d* answers\n/);
    expect(played.code).toBe(0);
    // Its last result may be of a card.
    if (driver !== 'ecr17') expect(played.stdout).not.toContain('not compared');
  },
);

test('doctor --replay: a device that answers wrongly fails its step again, in the same words', async () => {
  const { run, file } = await saved('zvt', await answering('FFFF00'));
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL') });
  const played = await replay(file);
  for (const line of run.stdout.trim().split('\n')) {
    if (/^(ok|FAIL)/.test(line)) expect(played.stdout).toContain(line);
  }
  expect(played.stdout).toMatch(/\nidentical: /);
});

test('doctor --replay: names the step and the bytes at which the driver does something else', async () => {
  const { file, text } = await saved('pn532', await twinAt('pn532', false, 'none'));
  // GetFirmwareVersion (02) of another chip.
  const asked = JSON.parse(text);
  const sent = asked.events.find((event: { sent?: string }) => event.sent?.includes('D402'));
  sent.sent = sent.sent.replace('D402', 'D4FF');
  writeFileSync(file, JSON.stringify(asked));
  const otherCommand = await replay(file);
  expect([otherCommand.code, otherCommand.stdout]).toEqual([
    1,
    expect.stringMatching(
      /differs, after \d+ answers:\nthe driver sends\n {2}recorded .*D4FF.*\n {2}replayed .*D402/,
    ),
  ]);

  const answered = JSON.parse(text);
  answered.steps[2].detail = 'PN532 firmware 9.9';
  writeFileSync(file, JSON.stringify(answered));
  const otherDetail = await replay(file);
  expect(otherDetail.stdout).toContain(
    "step 'read its firmware'\n  recorded  ok read its firmware: PN532 firmware 9.9",
  );
  expect(otherDetail.code).toBe(1);
});

test('doctor --replay: a replay of which nothing was played is no success', async () => {
  const { run, file } = await saved('zvt', await answering(''));
  expect(run.code).toBe(1);
  const silent = await replay(file);
  expect([silent.code, silent.stdout]).toEqual([1, expect.stringContaining('nothing was played')]);

  const missing = await saved('pn532', join(fixture.folder(), 'ttyNothing'));
  const played = await replay(missing.file);
  expect([played.code, played.stdout]).toEqual([1, expect.stringContaining('nothing was played')]);
});

test('doctor --save: hides a card number that a device sends', async () => {
  const pan = Buffer.from('4111111111111111', 'latin1').toString('hex').toUpperCase();
  const { text } = await saved('zvt', await answering(`040F13${pan}`));
  expect(text).not.toContain(pan);
  expect(text).toContain('·'.repeat(32));
});

test('doctor --save: keeps no bytes of a terminal whose messages are sealed, and they are not replayed', async () => {
  const file = join(fixture.folder(), 'nexo.json');
  const settings = join(fixture.folder(), 'settings.json');
  writeFileSync(settings, JSON.stringify({ poiId: 'P400Plus-123456789' }));
  await fixture.run([
    'doctor',
    'tls://127.0.0.1:9',
    '--driver',
    'nexo',
    '--terminal-settings',
    settings,
    '--save',
    file,
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('events');
  const played = await replay(file);
  expect([played.code, played.stderr]).toEqual([1, expect.stringContaining('sealed with keys of its user')]);
});

test.each([
  ['{}', 'is no file of'],
  ['not JSON', 'is no file of'],
])('doctor --replay: a file of %s is refused', async (text, words) => {
  const file = join(fixture.folder(), 'other.json');
  writeFileSync(file, text);
  const refused = await replay(file);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(words)]);
});
