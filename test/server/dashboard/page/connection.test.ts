import { expect, test } from 'vitest';
import {
  connect,
  UNAUTHORIZED,
  type ConnectionParts,
  type ConnectionState,
  type SocketEvents,
} from '../../../../server/dashboard/page/link/connection.ts';
import type { LiveMessage, PageMessage } from '../../../../server/dashboard/view.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

/** A page and the server's end of each connection that it opens. */
function openPage(parts: Partial<ConnectionParts> = {}) {
  const clock = new VirtualClock(0);
  const ends: { events: SocketEvents; sent: PageMessage[] }[] = [];
  const states: ConnectionState[] = [];
  const batches: (readonly LiveMessage[])[] = [];
  let refused = 0;
  const connection = connect({
    clock,
    open(events) {
      const end = { events, sent: [] as PageMessage[] };
      ends.push(end);
      return { send: (text) => void end.sent.push(JSON.parse(text)), close: () => {} };
    },
    token: async () => 'dash_token',
    onTokenRejected: () => (refused += 1),
    onState: (state) => states.push(state),
    onMessages: (messages) => batches.push(messages),
    initialMessages: () => [{ type: 'watch', target: null }],
    ...parts,
  });
  return { clock, ends, states, batches, connection, refused: () => refused };
}

const HELLO = JSON.stringify({
  type: 'hello',
  clock: { nowMs: 0, offsetMs: 0 },
  mode: 'sandbox',
  terminals: [],
  version: '1',
});

test('page connection: authenticates, then subscribes, and is online after the first message', async () => {
  const { clock, ends, states } = openPage();
  await clock.advance(1);
  ends[0]!.events.opened();
  expect(ends[0]!.sent).toEqual([
    { type: 'session', token: 'dash_token' },
    { type: 'watch', target: null },
  ]);
  expect(states.at(-1)).toEqual({ kind: 'connecting' });
  ends[0]!.events.text(HELLO);
  expect(states.at(-1)).toEqual({ kind: 'online' });
});

test('page connection: handles the first message at once, and later ones that arrive together, together', async () => {
  const { clock, ends, batches } = openPage();
  await clock.advance(1);
  ends[0]!.events.text(HELLO);
  expect(batches.map(({ length }) => length)).toEqual([1]);
  for (let count = 0; count < 3; count++) ends[0]!.events.text('{"type":"reset"}');
  expect(batches).toHaveLength(1);
  await clock.advance(50);
  expect(batches.map(({ length }) => length)).toEqual([1, 3]);
});

test('page connection: retries after a loss with growing delays, which start over after a success', async () => {
  const { clock, ends, states } = openPage();
  await clock.advance(1);
  const waits: number[] = [];
  for (let lost = 0; lost < 7; lost++) {
    ends.at(-1)!.events.closed(1006);
    const state = states.at(-1)!;
    waits.push(state.kind === 'disconnected' ? state.retryMs : 0);
    await clock.advance(waits.at(-1)! + 1);
    expect(ends).toHaveLength(lost + 2);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  ends.at(-1)!.events.text(HELLO);
  ends.at(-1)!.events.closed(1006);
  expect(states.at(-1)).toEqual({ kind: 'disconnected', retryMs: 500 });
});

test('page connection: an invalid token is forgotten; without a token nothing is opened', async () => {
  let tokens = ['dash_old'];
  const page = openPage({
    token: async () => {
      const token = tokens.shift();
      if (!token) throw new Error('no token');
      return token;
    },
  });
  await page.clock.advance(1);
  page.ends[0]!.events.closed(UNAUTHORIZED);
  expect(page.refused()).toBe(1);
  await page.clock.advance(5_000);
  expect(page.ends).toHaveLength(1);
  tokens = ['dash_new'];
  page.connection.retryNow();
  await page.clock.advance(1);
  page.ends[1]!.events.opened();
  expect(page.ends[1]!.sent[0]).toEqual({ type: 'session', token: 'dash_new' });
});

test('page connection: a closed page does not retry', async () => {
  const { clock, ends, connection } = openPage();
  await clock.advance(1);
  connection.close();
  ends[0]!.events.closed(1000);
  await clock.advance(60_000);
  connection.retryNow();
  await clock.advance(1);
  expect(ends).toHaveLength(1);
});
