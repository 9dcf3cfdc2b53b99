import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const MEBIBYTE = 1024 * 1024;
const EMAIL = 'ana@corner.example';

const fixture = createSystemFixture();
let tapbench: Tapbench;
let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = fixture.folder();
  dataDir = fixture.folder();
  tapbench = await fixture.tapbench({ dataDir, env: { NODE_OPTIONS: '--max-old-space-size=512' } });
  await tapbench.api('POST', '/v1/customers', { email: EMAIL, firstName: 'Ana' });
  await sandbox('save', 'default', join(folder, 'saved'));
});
afterAll(() => fixture.cleanUp());

function sandbox(...args: string[]) {
  const env = { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey };
  return fixture.run(['sandbox', ...args], { env });
}

/** Writes the saved snapshot with more customers, and returns the sizes of the file in MiB. */
function writeWithCustomers(file: string, count: number, firstNameOf: (number: string) => string) {
  const lines = gunzipSync(readFileSync(join(folder, 'saved')))
    .toString()
    .trimEnd()
    .split('\n');
  const at = lines.findIndex((line) => line.includes(`"${EMAIL}","${EMAIL}"`));
  const [, id, account, , , , ...rest] = JSON.parse(lines[at]!) as [number, string, string, ...unknown[]];
  const more = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(8, '0');
    const email = `${number}@corner.example`;
    return JSON.stringify([
      index + 2,
      id.slice(0, -8) + number,
      account,
      email,
      email,
      firstNameOf(number),
      ...rest,
    ]);
  });
  lines.splice(at + 1, 0, ...more);
  const { end } = JSON.parse(lines.pop()!) as { end: { rows: number } };
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const sha256 = createHash('sha256').update(text).digest('hex');
  const last = Buffer.from(`${JSON.stringify({ end: { rows: end.rows + count, sha256 } })}\n`);
  const packed = gzipSync(Buffer.concat([text, last]));
  writeFileSync(join(folder, file), packed);
  return { packed: packed.length / MEBIBYTE, unpacked: text.length / MEBIBYTE };
}

function bytesStored(): number {
  const entries = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return entries.reduce((sum, entry) => sum + statSync(join(dataDir, entry)).size, 0);
}

const statusOfServer = async () => (await tapbench.api('GET', '/v1/customers?limit=1')).status;

test('a snapshot of 1.5 MB that is 60 MB once it is unpacked is restored by a server of 512 MB', async () => {
  const { packed, unpacked } = writeWithCustomers('large', 50_000, (number) => {
    const digest = createHash('sha256').update(number).digest('hex').slice(0, 24);
    return `${digest} ${'Ana '.repeat(250)}`;
  });
  expect([packed > 1 && packed < 2, unpacked > 50]).toEqual([true, true]);
  const { code, stdout, stderr } = await sandbox('restore', join(folder, 'large'), 'large', '--json');
  expect([stderr, code]).toEqual(['', 0]);
  expect(await statusOfServer()).toBe(200);
  const { secretKey } = JSON.parse(stdout);
  const found = await tapbench.api('GET', '/v1/customers?limit=1', undefined, { authorization: secretKey });
  expect(found.body.items[0].email).toBe('00049999@corner.example');
});

test('a snapshot that is compressed to less than 1/50 is refused, and leaves nothing in the data folder', async () => {
  const { packed, unpacked } = writeWithCustomers('dense', 800, () => 'Ana '.repeat(25_000));
  expect([packed < 2, unpacked > 70]).toEqual([true, true]);
  const before = bytesStored();
  const { code, stderr } = await sandbox('restore', join(folder, 'dense'), 'dense');
  expect(code).toBe(1);
  expect(stderr).toContain('compressed to less than 1/50 of its size');
  expect(bytesStored() - before).toBeLessThan(MEBIBYTE);
  expect(await statusOfServer()).toBe(200);
  expect((await sandbox('list')).stdout).not.toContain('dense');
});
