import { createConnection, type Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCliFixture, type CliFixture } from '../cli-fixture.ts';

async function start(...options: string[]) {
  const scene = createCliFixture();
  const ended = scene.run('twin', 'escpos', '--tcp', '0', ...options);
  // The first test that runs the command loads it.
  await vi.waitUntil(() => scene.out.includes('tcp://'), { timeout: 20_000 });
  return { scene, ended };
}

/** Sends a job to the printer, and stays connected. */
function send(scene: CliFixture, job: string): Socket {
  const { port } = new URL(/tcp:[^,"]+/.exec(scene.out)![0]);
  const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.write(Buffer.from(job, 'latin1'));
  return socket;
}

/** Sends a job to the printer and hangs up. */
async function print(scene: CliFixture, job: string): Promise<void> {
  await once(send(scene, job).end(), 'close');
}

const CUT = '\x1dV\x00';

test('twin escpos: shows the paper, what is wrong and the drawer, and is worked by typing', async () => {
  const { scene, ended } = await start('--fault', 'paper-out after cut 1');
  await print(scene, `merchant\n${CUT}\x1bp\x00\x32\x32\x1bqcustomer\n${CUT}`);
  await vi.waitUntil(() => scene.out.includes('paper out'));
  scene.type('mend');
  await vi.waitUntil(() => scene.out.includes('receipt 2'));
  scene.type('drawer closed');
  scene.type('status');
  await vi.waitUntil(() => scene.out.includes('lines left'));
  scene.interrupt();
  expect(await ended).toBe(0);
  expect(scene.out.split('\n').slice(1)).toEqual([
    'merchant',
    '--- receipt 1, full cut ---',
    'paper out, cover closed',
    'paper enough, cover closed',
    'drawer open, pin 2 for 100 ms',
    'customer',
    '--- receipt 2, full cut ---',
    'drawer closed',
    'paper enough, cover closed, 1999 lines left, drawer closed',
    '',
  ]);
  expect(scene.err).toBe(
    'byte 17: ESC q is no instruction: these two bytes are skipped, and what follows is printed\n',
  );
});

test('twin escpos: writes each receipt to a folder, as text and as a picture', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'tapbench-printer-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'receipts');
  const { scene, ended } = await start('--out', folder, '--columns', '32');
  await print(scene, `Total${' '.repeat(28)}1\n${CUT}`);
  await vi.waitUntil(() => scene.out.includes('receipt 1, full cut: '));
  scene.interrupt();
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual(['receipt-0001.svg', 'receipt-0001.txt']);
  expect(readFileSync(join(folder, 'receipt-0001.txt'), 'utf8')).toBe('Total\n 1\n');
  expect(readFileSync(join(folder, 'receipt-0001.svg'), 'utf8')).toMatch(/^<svg [^>]*viewBox="0 0 448 /);
});

test('twin escpos: lists every instruction with its place, and no text of a customer', async () => {
  const { scene, ended } = await start('--log-level', 'debug');
  await print(scene, `\x1ba\x01Mr Smith\n\x1dk\x43\x0c400638133393${CUT}`);
  await vi.waitUntil(() => scene.out.includes('receipt 1'));
  scene.interrupt();
  expect(await ended).toBe(0);
  const listed = scene.err.split('\n').filter((line) => line.includes('at='));
  expect(listed.map((line) => line.replace(/^.*debug +/, '').replaceAll('  ', ' '))).toEqual([
    'ESC a (alignment) at=0 parameters=01',
    'LF (new line) at=11 parameters=',
    'GS k (bar code) at=12 parameters=14 bytes',
    'GS V (cut) at=28 parameters=00',
  ]);
  expect(scene.err).not.toContain('Smith');
});

test('twin escpos: tells a program what happens, as lines of JSON', async () => {
  const { scene, ended } = await start('--json');
  const socket = send(scene, `a\n\x1bp\x00\x32\x32\x07${CUT}`);
  await vi.waitUntil(() => scene.out.includes('"receipt"'));
  scene.type('status');
  scene.type('cover opne');
  scene.type('paper 0');
  scene.type('state unplugged');
  await once(socket, 'close');
  scene.interrupt();
  expect(await ended).toBe(0);
  expect(
    scene.out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { listening: [expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:\d+$/)] },
    { problem: 'byte 07 is no instruction: it is skipped', at: 7 },
    { drawer: 'open', pin: 2, onMs: 100 },
    { receipt: 1, end: 'full cut', text: 'a\n' },
    { paper: 'out', cover: 'closed', error: 'none' },
    { unplugged: true },
  ]);
  expect(scene.err).toContain('paper enough');
  expect(scene.err).toContain('cover takes one of');
});

test.each([
  [['twin', 'escpos', '--card', 'visa-contactless'], '--card is not available for escpos'],
  [['twin', 'pn532', '--json'], '--json is not available for pn532'],
  [['twin', 'pn532', '--near-end', '5'], '--near-end is not available for pn532'],
  [['twin', 'pn532', '--fault', 'paper-out after cut 1'], '--fault is not available for pn532'],
  [
    ['twin', 'escpos', '--tcp', '0', '--fault', 'paper-out'],
    "--fault must be such as 'paper-out after cut 1'",
  ],
  [['twin', 'escpos', '--tcp', '0', '--faults', 'a'], '--faults is for serial lines: add --link'],
  [['twin', 'escpos', '--columns', '40'], '--columns must be one of: 48, 42, 32'],
  [['twin', 'caisse-ap', '--link', './line'], '--link is not available for caisse-ap'],
  [['twin', 'zvt', '--tcp', '0', '--link', './line'], '--link is for serial lines: leave out --tcp'],
  [['twin', 'printer'], 'DEVICE must be one of: pn532, '],
])('twin commands: %j is refused', async (argv, why) => {
  const scene = createCliFixture();
  expect(await scene.run(...argv)).not.toBe(0);
  expect(scene.err).toContain(why);
});
