import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { TObject } from 'typebox';
import { ROUTES } from '../../server/routes.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { NULL_CLEARS } from '../architecture/specification/null-clears.ts';
import { changedBy, valueFor } from './nulls/changed-objects.ts';
import { sentBy } from './nulls/cleared-properties.ts';
import { good } from './one-of-each.ts';

const TIMEOUT_MS = 120_000;

let world: World;

beforeEach(async () => {
  world = await startWorld();
  onTestFinished(() => world.close());
});

test.each(Object.entries(NULL_CLEARS))(
  'null: sent to %s, clears what the document says that it clears',
  async (operation, properties) => {
    for (const property of properties) {
      const { value, send } = await sentBy(world, operation, property);
      expect(await send(value), `${operation} ${property} has the value that it is given`).toEqual(value);
      expect(
        (await send(null)) ?? null,
        `${operation} ${property}: the document says that null clears it. Let the handler clear it, or its schema not take null (test/architecture/null-clears.test.ts)`,
      ).toBeNull();
    }
  },
  TIMEOUT_MS,
);

/** Properties that are not sent to an object, and why. */
const LEFT_OUT: Record<string, string> = {
  'PATCH /accounts/{id} individual': 'the account is of a business',
  'PATCH /payment-sessions/{paymentSessionId} splits': 'exclusive with platformFee',
};

/** PATCH operations that act instead of giving values. */
const ACTS: Record<string, string> = {
  'PATCH /subscriptions/{subscriptionId}/pause': 'each pause replaces the one before',
};

test(
  'null: leaves every other property of an object as it is',
  async () => {
    const problems: string[] = [];
    for (const route of ROUTES.filter(({ method }) => method === 'PATCH')) {
      const { operation, body } = route;
      if (body === undefined || operation in ACTS) continue;
      const { path, read = path, values, api = world.api } = await changedBy(route, world);
      const shown = async () => {
        const { lastUpdatedTimestamp: _changed, ...rest } = good(await api.get(read));
        return rest;
      };
      for (const name of Object.keys((body as TObject).properties)) {
        const property = `${operation} ${name}`;
        if (property in LEFT_OUT || NULL_CLEARS[operation]?.includes(name)) continue;
        const value = valueFor(route, name, values);
        const given = await api.patch(path, { [name]: value });
        if (JSON.stringify(value) === '{}')
          problems.push(
            `${property}: is given nothing: add a value for it to test/journeys/nulls/changed-objects.ts`,
          );
        if (given.status !== 200) {
          problems.push(
            `${property}: ${JSON.stringify(value)} is refused, so add a valid value to test/journeys/nulls/changed-objects.ts: ${JSON.stringify(given.body.errors)}`,
          );
          continue;
        }
        const before = await shown();
        await api.patch(path, { [name]: null });
        expect(
          await shown(),
          `${property}: null changes the object, and the document does not say that it may be null. Let its schema take null (Nullable) and name it in test/architecture/specification/null-clears.ts, or leave the value as it is`,
        ).toEqual(before);
      }
    }
    expect(problems).toEqual([]);
  },
  TIMEOUT_MS,
);
