import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const LOCATION = {
  id: 'iploc_1',
  name: 'South Hall',
  address: { lineOne: '1 High Street', city: 'Leeds', postalCode: 'LS1 1AA', country: 'GB' },
};

test('locations: lists all with their addresses', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/in-person/locations', {
    status: 200,
    body: { items: [LOCATION], paginationToken: null },
  });
  expect(await on.run('locations')).toBe(0);
  expect(on.out).toBe(
    'ID       NAME        ADDRESS\niploc_1  South Hall  1 High Street, Leeds, LS1 1AA, GB\n',
  );
});

test('locations: says how to create the first', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/in-person/locations', { status: 200, body: { items: [], paginationToken: null } });
  expect(await on.run('locations')).toBe(0);
  expect([on.out, on.err]).toEqual(['', "no locations; 'tapbench locations add NAME' creates one\n"]);
});

test('locations add: creates one at an address in London, or at the address that is given', async () => {
  const on = createCliFixture();
  on.answer('POST /v1/in-person/locations', { status: 200, body: LOCATION });
  expect(await on.run('locations', 'add', 'South Hall')).toBe(0);
  const london = { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' };
  expect(on.requests[0]!.body).toEqual({ name: 'South Hall', address: london });
  const austin = ['--city', 'Austin', '--country', 'US', '--region', 'TX', '--postal-code', '73301'];
  expect(await on.run('locations', 'add', 'South Hall', '--line-one', '1 Main St', ...austin)).toBe(0);
  expect(on.requests[1]!.body).toEqual({
    name: 'South Hall',
    address: { lineOne: '1 Main St', city: 'Austin', country: 'US', region: 'TX', postalCode: '73301' },
  });
  expect(on.out.split('\n')[0]).toBe('iploc_1  South Hall  1 High Street, Leeds, LS1 1AA, GB');
});

test('locations delete: deletes it, or prints why not', async () => {
  const on = createCliFixture();
  const used = refusal(400, 'the location has terminals');
  on.answer('DELETE /v1/in-person/locations/iploc_1', { status: 200, body: { id: 'iploc_1' } }, used);
  expect([await on.run('locations', 'delete', 'iploc_1'), on.out]).toEqual([0, 'iploc_1 deleted\n']);
  expect([await on.run('locations', 'delete', 'iploc_1'), on.err]).toEqual([
    1,
    'tapbench: the location has terminals (400)\n',
  ]);
});
