import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { smallServer } from './small-server.ts';

const NAMES = [
  'name',
  'address',
  'lineOne',
  'lineTwo',
  'city',
  'country',
  'postalCode',
  'region',
  'metadata',
];
const MORE_NAMES = ['geoCoordinates', 'latitude', 'longitude', '__proto__', 'constructor', 'toString', ''];

/** JSON that looks like a location now and then, at every depth. */
const { almost } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 90 }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, 'GB', 'US', 'CA', '\u0000', '\ud800', 1e308, -0),
  ),
  almost: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('almost'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom(...NAMES, ...MORE_NAMES), fc.string({ maxLength: 35 })),
      tie('almost'),
      {
        maxKeys: 12,
      },
    ),
  ),
}));

const valid = {
  name: 'Corner Shop',
  address: { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' },
};

/** Mostly the one, now and then the other. */
const mostly = <T>(good: fc.Arbitrary<T>, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: other });

const textOf = (minLength: number, maxLength: number) =>
  fc.string({ unit: 'grapheme-composite', minLength, maxLength });

/** A good location in which some members are something else; about a third of them are good. */
const spoilt = fc.record(
  {
    name: mostly(fc.constant(valid.name), almost),
    address: mostly(
      fc.constant(valid.address),
      fc
        .dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), almost))
        .map((members) => ({ ...valid.address, ...members })),
    ),
    geoCoordinates: mostly(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.integer({ min: -180, max: 180 }),
      }),
      fc.record({ latitude: fc.double(), longitude: fc.oneof(fc.double(), almost) }),
    ),
    metadata: mostly(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,30}$/), textOf(1, 40), { maxKeys: 10 }),
      fc.oneof(
        fc.dictionary(
          fc.string({ unit: 'binary', maxLength: 32 }),
          fc.string({ unit: 'binary', maxLength: 20 }),
        ),
        almost,
      ),
    ),
  },
  { requiredKeys: ['name', 'address'] },
);

test('random requests: any JSON creates a location or is refused, and what was created can be read', async () => {
  const { call } = await smallServer(locationRoutes);
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(almost, spoilt), async (body) => {
      const { status, body: answer } = await call('POST /v1/in-person/locations', {
        raw: JSON.stringify(body) ?? '',
      });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status === 200) {
        const read = await call(`GET /v1/in-person/locations/${answer.id}`);
        expect([read.status, read.body]).toEqual([200, answer]);
      } else {
        expect([status, answer.code, answer.errors.length]).toEqual([400, '400', 1]);
        expect(answer.errors[0].message).not.toBe('');
      }
    }),
    { numRuns: 400 },
  );
  // Else the bodies were too wild, or too tame, to show anything.
  expect(Math.min(seen.get(200) ?? 0, seen.get(400) ?? 0)).toBeGreaterThan(5);
});

test('random requests: any bytes cause no fault', async () => {
  const { call } = await smallServer(locationRoutes);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const { status } = await call('POST /v1/in-person/locations', { raw: Buffer.from(bytes) });
      expect(status).toBe(400);
    }),
    { numRuns: 200 },
  );
});

test('random requests: any path and query cause no fault', async () => {
  const { call } = await smallServer(locationRoutes);
  const text = fc.oneof(
    fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((each) => encodeURIComponent(Buffer.from(each).toString())),
    fc.stringMatching(/^[%a-f0-9&=;?/.+-]{0,40}$/),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (id, query) => {
      const { status } = await call(`GET /v1/in-person/locations/${id}?limit=${query}&startsAfter=${query}`);
      expect(status).toBeLessThan(500);
      const list = await call(`GET /v1/in-person/locations?startsAfter=${query}&ascending=${id}`);
      expect(list.status).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
});
