import { expect, test } from 'vitest';
import { withBatchPairing } from '../../../cli/terminals/batch-pairing.ts';

function setUp(statusOfBatch: number) {
  const asked: [string, unknown][] = [];
  const api = withBatchPairing(
    {
      async request(_method, path, body) {
        asked.push([path, body]);
        if (path !== '/pairing/terminals') return { status: 200, body: `alone ${path}` };
        const { terminalIds } = body as { terminalIds: string[] };
        return { status: statusOfBatch, body: { items: terminalIds.map((id) => `together ${id}`) } };
      },
    },
    { unless: 'Online' },
  );
  const pair = (id: string) => api.request('POST', `/pairing/terminals/${id}`, { unless: 'Online' });
  return { api, asked, pair };
}

test('withBatchPairing: pairs the terminals of one turn with one request', async () => {
  const { asked, pair } = setUp(200);
  expect((await Promise.all([pair('a'), pair('b')])).map(({ body }) => body)).toEqual([
    'together a',
    'together b',
  ]);
  expect(asked).toEqual([['/pairing/terminals', { terminalIds: ['a', 'b'], unless: 'Online' }]]);
});

test('withBatchPairing: pairs each terminal by itself when the server refuses to pair them together', async () => {
  const { asked, pair } = setUp(409);
  const replies = await Promise.all([pair('a'), pair('b')]);
  expect(replies.map(({ body }) => body)).toEqual([
    'alone /pairing/terminals/a',
    'alone /pairing/terminals/b',
  ]);
  expect(asked.slice(1).map(([, body]) => body)).toEqual([{ unless: 'Online' }, { unless: 'Online' }]);
});

test('withBatchPairing: passes on a single pairing and every other request as they are', async () => {
  const { api, asked, pair } = setUp(200);
  await pair('a');
  await api.request('POST', '/pairing/simulators');
  expect(asked.map(([path]) => path)).toEqual(['/pairing/terminals/a', '/pairing/simulators']);
});
