import { afterAll, expect, test } from 'vitest';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { prepareSessions, sessionsOf } from './recorded-session.ts';
import { PARTS } from './session-parts.ts';
import { countFrom } from '../../kit/count-from.ts';

const PART_NAMES = Object.keys(PARTS);

// All parts come about: a session has two. REPLAY_SESSIONS=1000 REPLAY_SEED=anything: a longer run.
const count = countFrom('REPLAY_SESSIONS', Math.max(50, Math.ceil(PART_NAMES.length / 2)));
const seed = process.env['REPLAY_SEED'] ?? 'sessions';

const sessions = prepareSessions();
afterAll(() => sessions.close());

test.each(
  sessionsOf(seed, count, PART_NAMES).map(
    (names, index) => [names.join(', '), names, `${seed} ${index}`] as const,
  ),
)('replay: a session of %s is identical', async (_title, names, sessionSeed) => {
  const trace = await sessions.record(names, sessionSeed);
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result).toMatchObject({ outcome: 'identical', compared: expect.any(Number) });
});
