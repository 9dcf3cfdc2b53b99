import { afterAll, beforeAll, expect, test } from 'vitest';
import { delay } from '../../protocol/clock.ts';
import { fraction, seededRandom } from '../../protocol/ids.ts';
import { createAcknowledgedObjects, type AcknowledgedObjects } from './acknowledged-objects.ts';
import { createSandboxLoad, type SandboxLoad } from './sandbox-load.ts';
import { createSystemFixture } from './system-fixture.ts';
import type { Tapbench } from './tapbench.ts';
import { realTime } from './wait-for.ts';

/** Another seed is other moments, and more kills take longer: `SEED=two KILLS=100 npm run test:system`. */
const SEED = process.env['SEED'] ?? 'one';
const KILLS = Number(process.env['KILLS'] ?? 6);

// A few sandboxes are created, forked, restored and deleted within this time.
const KILL_MS_MAX = 300;

const fixture = createSystemFixture();
let tapbench: Tapbench;
let load: SandboxLoad;
let objects: AcknowledgedObjects;
beforeAll(async () => {
  tapbench = await fixture.tapbench();
  load = createSandboxLoad(tapbench);
  objects = createAcknowledgedObjects(tapbench);
  await load.keep('kept-source');
  await load.save();
  await load.keep('kept-idle');
});
afterAll(() => fixture.cleanUp());

const random = seededRandom(`${SEED} sandboxes`);
const moments = Array.from({ length: KILLS }, () => Math.floor(fraction(random) * KILL_MS_MAX));

test.each(moments)(
  'sandboxes: killed %i ms after the start of creating, forking, restoring and deleting, each is whole or absent',
  async (ms) => {
    const busy = Promise.all([load.run(), objects.create()]);
    await delay(realTime, ms);
    await tapbench.kill();
    await busy;
    await tapbench.restart();
    await load.check();
    await objects.check();
  },
);

test('sandboxes: some of the kills interrupted a change', () => {
  expect(load.interrupted.whole + load.interrupted.absent).toBeGreaterThanOrEqual(KILLS);
});
