import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** A data folder whose room can run out, and come back. */
interface Disk {
  dataDir: string;
  fill(tapbench: Tapbench): void;
  empty(tapbench: Tapbench): void;
}

const KIB = 1024;

/** The system refuses this process to make files longer: anybody may say that of a process of his. */
function limitedFiles(): Disk {
  const dataDir = fixture.folder();
  const limit = ({ child }: Tapbench, bytes: string) =>
    execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
  return {
    dataDir,
    // The write-ahead log is what grows.
    fill: (tapbench) => void limit(tapbench, String(statSync(join(dataDir, 'store.db-wal')).size + 64 * KIB)),
    empty: (tapbench) => void limit(tapbench, 'unlimited'),
  };
}

/** A file system of four megabytes, which root may mount. */
function smallFileSystem(): Disk {
  const folder = fixture.folder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  fixture.onCleanUp(() => void execFileSync('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  return {
    dataDir,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(4 * KIB));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler),
  };
}

/** Not in every container, even for root. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = fixture.folder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (mounted) execFileSync('umount', [folder]);
  return mounted;
}

const DISKS: [string, () => Disk][] = [
  ['the limit on the length of files', limitedFiles],
  ...(canMount() ? [['the end of a file system', smallFileSystem] as [string, () => Disk]] : []),
];

const LOCATION = {
  address: { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' },
  metadata: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`key-${at}`, 'x'.repeat(200)])),
};
const REFUSALS_WANTED = 5;
const LOCATIONS_MAX = 5_000;

test.each(DISKS)(
  'full disk: %s: what does not fit is refused, what was acknowledged stays',
  async (_, openDisk) => {
    const disk = openDisk();
    const tapbench = await fixture.tapbench({ dataDir: disk.dataDir });
    const till = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
    const sandbox = `/sandbox/terminals/${tapbench.terminals[0]!.id}`;
    const pay = (requested: number) =>
      tapbench.api('POST', `${till}/payment`, { amounts: { requested }, currency: 'GBP' });
    await tapbench.api('POST', `${sandbox}/cardholder`, { script: 'none' });
    const begun = (await pay(1000)).body.action;
    await waitFor('the card to be asked for', async () => {
      const { body } = await tapbench.api('GET', `/sandbox/actions/${begun.id}`);
      return body.phase === 'awaitingCard';
    });

    disk.fill(tapbench);
    const kept: Json[] = [];
    let refusals = 0;
    for (let made = 0; refusals < REFUSALS_WANTED && made < LOCATIONS_MAX; made++) {
      const name = `Location ${made}`;
      const { status, body } = await tapbench.api('POST', '/v1/in-person/locations', { name, ...LOCATION });
      if (status === 200) kept.push(body);
      else {
        refusals += 1;
        expect([status, body.code, body.errors[0].code]).toEqual([503, '503', 'unexpected_error']);
        expect(body.errors[0].message).toMatch(/database cannot be written/);
      }
    }
    expect(refusals).toBe(REFUSALS_WANTED);
    // The write of its check is the smallest: where there is room for it yet, it takes some.
    const health = await waitFor('the last room to be taken', async () => {
      const { status, body } = await tapbench.api('GET', '/healthz');
      return status === 503 && body;
    });
    expect(health.errors[0].message).toMatch(/the store cannot write \(SQLite/);

    // A card is presented all the same; nothing can be written of it.
    await tapbench.api('POST', `${sandbox}/present-card`, { card: 'visa-contactless' });
    expect((await tapbench.api('POST', `${till}/cancel-action`)).status).toBe(503);
    expect((await tapbench.api('GET', till)).body.action).toMatchObject({
      id: begun.id,
      status: 'InProgress',
    });

    disk.empty(tapbench);
    await waitFor('the server to be healthy', async () => {
      return (await tapbench.api('GET', '/healthz')).status === 200;
    });
    const ended = await waitFor('the action to end', async () => {
      const { action } = (await tapbench.api('GET', till)).body;
      if (action.status !== 'InProgress') return action;
      await tapbench.api('POST', '/sandbox/clock/advance', { seconds: 20 });
      return undefined;
    });
    expect(ended.id).toBe(begun.id);
    await expectMoneyWhereItSays(tapbench, ended);
    await tapbench.api('POST', `${sandbox}/cardholder`, { script: 'tap' });
    const next = (await pay(2000)).body.action;
    await waitFor('the next payment to succeed', async () => {
      const { action } = (await tapbench.api('GET', till)).body;
      return action.id === next.id && action.status === 'Succeeded';
    });

    await tapbench.kill();
    await tapbench.restart();
    for (const location of kept) {
      const { body } = await tapbench.api('GET', `/v1/in-person/locations/${location.id}`);
      expect(body).toEqual(location);
    }
    expect((await tapbench.api('GET', till)).body.action).toMatchObject({ id: next.id, status: 'Succeeded' });
  },
);

async function expectMoneyWhereItSays(tapbench: Tapbench, action: Json): Promise<void> {
  const path = `/v1/payment-sessions/${action.transaction.paymentSessionId}`;
  const { status } = (await tapbench.api('GET', path)).body;
  const items: Json[] = (await tapbench.api('GET', `${path}/transactions?ascending=true`)).body.items;
  expect([
    ['Succeeded', 'Captured', 'Authorization', 'Capture'],
    ['Failed', 'Voided', 'Authorization', 'Void'],
    ['Failed', 'PendingPayment'],
  ]).toContainEqual([action.status, status, ...items.map(({ type }) => type)]);
}
