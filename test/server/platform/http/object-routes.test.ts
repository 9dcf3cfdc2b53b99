import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import type { PageSource } from '../../../../server/platform/store/page-source.ts';
import { deleteRoute, listRoute } from '../../../../server/platform/http/object-routes.ts';
import { smallServer } from './small-server.ts';

const common = { tag: 'Boat', section: 'Sandbox', kind: 'location' } as const;

test('a route that deletes: returns the id, and refuses an object that was deleted since it was found', async () => {
  const afloat = new Set(['lo_1']);
  const { call } = await smallServer([
    deleteRoute({
      ...common,
      operation: 'DELETE /boats/{id}',
      summary: 'Delete a boat',
      find: async ({ params }) => ({ id: params.id }),
      remove: async (_tx, { id }) => afloat.delete(id),
    }),
  ]);
  expect(await call('DELETE /v1/boats/lo_1')).toMatchObject({ status: 200, body: { id: 'lo_1' } });
  const { status, body } = await call('DELETE /v1/boats/lo_1');
  expect([status, body.errors[0].message]).toEqual([404, 'no such boat']);
});

test('a route that lists: the types refuse one that shows its rows in no way, and one that does in both', () => {
  const about = { ...common, operation: 'GET /boats', summary: 'List boats' } as const;
  const list = (): PageSource => {
    throw new Error('no request is made');
  };
  const parts = { ...about, item: Type.Object({}), list };
  expect([
    listRoute({ ...parts, show: () => ({}) }),
    listRoute({ ...parts, showAll: (rows) => rows }),
    // @ts-expect-error It has neither.
    listRoute(parts),
    // @ts-expect-error It has both.
    listRoute({ ...parts, show: () => ({}), showAll: () => [] }),
  ]).toHaveLength(4);
});
