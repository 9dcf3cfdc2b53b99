import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const serials = (items: { serialNumber: string; online: boolean }[]) =>
  items.map(({ serialNumber, online }) => [serialNumber, online]);

test('POST /sandbox/reset: the server of up creates its location and terminal again, and the terminal is online on return', async () => {
  const up = await fixture.tapbench();
  const env = { TAPBENCH_URL: up.url, DATA_DIR: up.dataDir! };
  await up.api('POST', '/v1/in-person/terminals', { serialNumber: 'SIM-0002', locationId: up.locationId });

  // Two at once leave one shop.
  const resets = await Promise.all([up.api('POST', '/sandbox/reset'), up.api('POST', '/sandbox/reset')]);
  expect(resets.map(({ status }) => status)).toEqual([200, 200]);
  expect(serials((await up.api('GET', '/sandbox/terminals')).body.items)).toEqual([['SIM-0001', true]]);
  expect((await up.api('GET', '/v1/in-person/locations')).body.items).toHaveLength(1);

  expect(await fixture.run(['pay', '1742', '--wait'], { env })).toMatchObject({ code: 0 });
  expect(await fixture.run(['terminals', 'add', '--serial', 'SIM-0003'], { env })).toMatchObject({ code: 0 });
});

test('POST /sandbox/reset: the server of up creates the objects of its seed file again', async () => {
  const seed = join(fixture.folder(), 'seed.json');
  const address = { lineOne: '12 High Street', city: 'York', country: 'GB', postalCode: 'YO1 7AB' };
  writeFileSync(
    seed,
    JSON.stringify({
      version: 1,
      accounts: [{ name: 'Harbour Cafe' }],
      locations: [{ account: 'Harbour Cafe', name: 'Harbour quay', address }],
      terminals: [{ account: 'Harbour Cafe', serialNumber: 'SIM-CAFE-1', location: 'Harbour quay' }],
      webhooks: [{ url: 'http://127.0.0.1:9/hook' }],
    }),
  );
  const up = await fixture.tapbench({ args: ['--seed', seed] });
  const before = serials((await up.api('GET', '/sandbox/terminals')).body.items);
  expect(before).toEqual(expect.arrayContaining([['SIM-CAFE-1', true]]));

  await up.api('POST', '/sandbox/reset');
  expect(serials((await up.api('GET', '/sandbox/terminals')).body.items)).toEqual(before);
  expect((await up.api('GET', '/v1/webhooks')).body.items).toHaveLength(1);
  await up.child.prints(/^\{"webhooks":\[\{.*"secret":"[^"]+"\}\]\}$/m);
});
