import { format } from 'prettier';
import { afterAll, expect, test } from 'vitest';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { hunt } from '../../../testing/hunt/hunt.ts';
import { writeTest } from '../../../world/written-test/write-test.ts';
import { prepareSessions, sessionsOf } from '../replay/recorded-session.ts';
import { PARTS } from '../replay/session-parts.ts';
import { runWrittenTest } from './run-written-test.ts';
import { givesUp } from '../../hunt/tills/gives-up.ts';
import { countFrom } from '../../kit/count-from.ts';

// WRITTEN_SESSIONS=1000 WRITTEN_SEED=anything: a longer run.
const count = countFrom('WRITTEN_SESSIONS', 50);
const seed = process.env['WRITTEN_SEED'] ?? 'written';

// A written test awaits each request that no fault strikes, so reads that were sent together with what changes are not in it.
const WRITABLE = Object.keys(PARTS).filter((name) => !name.startsWith('two terminals'));
/** Of these each is in a session of its own too. */
const STRUCK = WRITABLE.filter((name) => /^fault: api\.\w+ (?:reset|delay|no-reply)/.test(name));

const sessions = prepareSessions();
afterAll(() => sessions.close());

test.each(
  sessionsOf(seed, count, WRITABLE).map(
    (names, index) => [names.join(', '), names, `${seed} ${index}`] as const,
  ),
)(
  'written test: that of a session of %s passes, and Prettier leaves it as it is',
  async (_title, names, sessionSeed) => {
    const trace = await sessions.record(names, sessionSeed);
    const code = writeTest(trace, './session.tapbench');
    expect(code).toBe(await format(code, { parser: 'typescript', singleQuote: true }));
    await runWrittenTest(trace, code);
  },
);

test.each(STRUCK)(
  'written test: that of a session of %s passes, whose requests are held up or cut',
  async (name) => {
    const trace = await sessions.record([name], `${seed} struck`);
    const code = writeTest(trace, './session.tapbench');
    expect(code).toMatch(/\bconst \w+Sent = /);
    expect(code).toBe(await format(code, { parser: 'typescript', singleQuote: true }));
    await runWrittenTest(trace, code);
  },
);

test('written test: that of a plan that a hunt found repeats each read that a fault counts', async () => {
  const READ = 'GET /v1/payment-sessions/{paymentSessionId}';
  // The first one is that of the payment page.
  const lost = { at: 'api.reply', what: 'reset', when: { operation: READ, nth: 2, times: 5 } } as const;
  const { found } = await hunt({ ...givesUp(false), plan: [lost] });
  const trace = await readTrace(found!.trace);
  const code = writeTest(trace, './session.tapbench');
  expect(code.match(/\.rejects\.toThrow\(\)/g)).toHaveLength(5);
  await runWrittenTest(trace, code);
});
