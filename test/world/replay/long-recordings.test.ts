import { afterAll, expect, test } from 'vitest';
import { LATEST_MS } from '../../../protocol/clock.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { turn } from '../../../world/virtual-clock.ts';
import { prepareSessions } from './recorded-session.ts';

const YEAR_MS = 365 * 86_400_000;

const sessions = prepareSessions();
afterAll(() => sessions.close());

test('replay: one that is interrupted ends, however long the recording is', async () => {
  const trace = await sessions.record(['tapped card'], 'long');
  trace.summary.endMs += 90 * YEAR_MS;
  const interrupted = new AbortController();
  const ended = replayTrace(trace, interrupted.signal);
  ended.catch(() => {});
  for (let turns = 0; turns < 1_000; turns += 1) await turn();
  interrupted.abort(new Error('interrupted'));
  await expect(ended).rejects.toThrow('interrupted');
});

test('replay: a recording of more than a hundred years is not replayed, with the reason', async () => {
  const trace = await sessions.record(['tapped card'], 'long');
  trace.items.at(-1)!.atMs = LATEST_MS;
  expect(await replayTrace(trace)).toEqual({
    outcome: 'notReplayable',
    reasons: ['it spans more than 100 years'],
  });
});
