import { format } from 'prettier';
import { afterAll, expect, test } from 'vitest';
import { writeTest } from '../../../world/written-test/write-test.ts';
import { prepareSessions, sessionsOf } from '../replay/recorded-session.ts';
import { PARTS } from '../replay/session-parts.ts';
import { runWrittenTest } from './run-written-test.ts';
import { countFrom } from '../../kit/count-from.ts';

// WRITTEN_SESSIONS=1000 WRITTEN_SEED=anything: a longer run.
const count = countFrom('WRITTEN_SESSIONS', 50);
const seed = process.env['WRITTEN_SEED'] ?? 'written';

const UNWRITABLE = Object.keys(PARTS).filter((name) =>
  /^fault: (?:api\.\w+ (?:reset|delay|no-reply)|server\.)/.test(name),
);
// A written test awaits each request, so reads that were sent together with what changes are not in it either.
const WRITABLE = Object.keys(PARTS).filter(
  (name) => !UNWRITABLE.includes(name) && !name.startsWith('two terminals'),
);

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

test.each(UNWRITABLE)(
  'written test: none of a session of %s, whose requests are held up or cut',
  async (name) => {
    const trace = await sessions.record([name], `${seed} unwritable`);
    expect(() => writeTest(trace, './session.tapbench')).toThrow(
      /^no test can be written: the fault \S+ struck .+, and a test awaits each request$/,
    );
  },
);
