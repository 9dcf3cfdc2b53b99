import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TILL_CASES } from '../../../cli/certify/till/till-cases.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import { shellWord } from '../../../protocol/system/shell-word.ts';
import { countFrom } from '../../kit/count-from.ts';
import { MAIN, startProgram } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const PYTHON = ['python3', join(EXAMPLES, 'shop-python/shop.py')];
const NODE = (shop: 'wrong' | 'right') => [process.execPath, join(EXAMPLES, `shop/${shop}/shop.js`)];
const ASKING = ['--sell', '/orders', '--books', '/books'];
const LISTENING = [...ASKING, '--webhooks', '/webhooks'];
const callsOf = (name: string) => [
  '--calls',
  join(EXAMPLES, `shop-python/${name}.json`),
  '--books',
  '/books',
];

/** Runs the command for a till, and returns what its certificate says. */
async function certify(flags: string[], till: string[]) {
  const folder = fixture.folder();
  const words = ['certify', 'till', ...flags, '--jobs', '2', '--quiet', '1', '--', ...till];
  const start = (...more: string[]) =>
    fixture.command([...words.slice(0, 2), ...more, ...words.slice(2)], { cwd: folder });
  const file = join(folder, 'certificate', 'certificate.json');
  const read = (): Json => JSON.parse(readFileSync(file, 'utf8'));
  const idsOf = (verdict: string): string[] =>
    read()
      .results.filter((result: Json) => result.verdict === verdict)
      .map(({ id }: Json) => id.replace('till.', ''));
  return { folder, file, start, read, idsOf };
}

/** Cases that are tried, and those of them that a till with the defect fails. The right one passes all. */
const DEFECTS: [string, string[], string[], string[]][] = [
  ['charges-again', LISTENING, ['drill.lost-reply'], ['drill.lost-reply', 'money.charged-once']],
  [
    'books-at-once',
    LISTENING,
    ['drill.duplicate-webhook-at-once'],
    ['drill.duplicate-webhook-at-once', 'money.books'],
  ],
  ['starts-over', LISTENING, ['stop.before-reply'], ['stop.before-reply', 'money.charged-once']],
  [
    'loses-refund',
    callsOf('refund'),
    ['drill.refund-twice'],
    ['drill.refund-twice', 'money.books', 'money.refunds'],
  ],
  [
    'cancels-unread',
    callsOf('cancel'),
    ['drill.cancel-race', 'fault.api-request.delay'],
    ['drill.cancel-race', 'fault.api-request.delay', 'money.books'],
  ],
  ['books-twice', LISTENING, ['drill.duplicate-webhook'], ['drill.duplicate-webhook', 'money.books']],
  [
    'books-unread',
    LISTENING,
    ['fault.bank-authorisation.declined'],
    ['fault.bank-authorisation.declined', 'money.books'],
  ],
  [
    'trusts-reply',
    LISTENING,
    ['fault.bank-authorisation.declined'],
    ['fault.bank-authorisation.declined', 'money.books'],
  ],
  ['asks-once', ASKING, ['drill.lost-result'], ['drill.lost-result', 'money.books']],
  ['gives-up', ASKING, ['outage.api-request'], ['outage.api-request', 'money.books']],
  ['only-listens', LISTENING, ['outage.webhook-attempt'], ['outage.webhook-attempt', 'money.books']],
  ['assumes-refused', ASKING, ['drill.lost-reply'], ['drill.lost-reply', 'money.books']],
  ['forgets', ASKING, ['stop.before-reply'], ['stop.before-reply', 'money.books']],
  [
    'refund-unread',
    callsOf('refund'),
    ['fault.bank-settlement.failed'],
    ['fault.bank-settlement.failed', 'money.books', 'money.refunds'],
  ],
  [
    'refunds-again',
    callsOf('refund'),
    ['drill.refund-twice'],
    ['drill.refund-twice', 'money.books', 'money.refunds'],
  ],
];
/** All of them: `npm run prove:certify`. */
const TRIED = DEFECTS.slice(0, countFrom('TILL_DEFECTS', 5));

const only = (ids: string[]) => ['--only', [...ids, 'money.*'].map((id) => `till.${id}`).join(',')];

test.each(TRIED)(
  'certify till: a till that %s fails exactly the cases of its defect, and the right one none',
  async (defect, flags, ids, expected) => {
    const wrong = await certify([...flags, ...only(ids)], [...PYTHON, '--defect', defect]);
    expect((await wrong.start().ended).code).toBe(1);
    expect(wrong.idsOf('failed').toSorted()).toEqual(expected.toSorted());
    const right = await certify([...flags, ...only(ids)], PYTHON);
    // No run has a payout: what is not shown is no success.
    expect((await right.start().ended).code).toBe(2);
    expect([right.idsOf('failed'), right.idsOf('passed')]).toEqual([
      [],
      expect.arrayContaining(['sells', ...ids, 'money.charged-once', 'money.books']),
    ]);
  },
);

test('certify till: the wrong shop of the examples fails where the right one passes, as a page, JUnit and SARIF', async () => {
  const ids = ['drill.lost-reply', 'stop.before-reply'];
  // The wrong shop loses an event that is there before it has read the reply: on a busy machine time must not outrun it.
  const slowly = ['--speed', '5'];
  const flags = [...LISTENING, ...slowly, '--only', ids.map((id) => `till.${id}`).join(',')];
  const wrong = await certify(flags, NODE('wrong'));
  const { code, stdout } = await wrong.start('--junit', 'junit.xml', '--sarif', 'till.sarif').ended;
  expect([code, wrong.idsOf('failed')]).toEqual([1, ids]);
  expect(stdout).toMatch(/^passed +till\.sells: books and money agree after sell, sell twice at once\n/);
  const read = (name: string) => readFileSync(join(wrong.folder, name), 'utf8');
  expect(read('certificate/certificate.html')).toContain('2 failed, 1 passed');
  expect(read('junit.xml')).toContain('tests="3" failures="2"');
  const [{ results }] = JSON.parse(read('till.sarif')).runs;
  expect(results.map(({ ruleId }: Json) => ruleId)).toEqual(ids.map((id) => `till.${id}`));
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toContain('shop.js');
  expect(existsSync(join(wrong.folder, 'certificate/till.drill.lost-reply.tapbench'))).toBe(true);
  const right = await certify(flags, NODE('right'));
  expect((await right.start().ended).code).toBe(0);
  expect(right.idsOf('passed')).toEqual(['sells', ...ids]);
});

test('certify till: goes on after kill -9, and comes to the same digest as a run that was not killed', async () => {
  const flags = [...LISTENING, '--only', 'till.drill.lost-reply,till.drill.lost-result'];
  const killed = await certify(flags, PYTHON);
  const run = killed.start();
  await waitFor('its first case', () => existsSync(killed.file) && killed.idsOf('passed').length > 0);
  process.kill(run.pid, 'SIGKILL');
  await run.ended;
  const before = killed.read();
  expect(before.results.length).toBeLessThan(3);
  const { code, stdout } = await killed.start('--resume').ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain('till.sells');
  const whole = await certify(flags, PYTHON);
  await whole.start().ended;
  expect(killed.read().digest).toBe(whole.read().digest);
});

test('certify till: refuses what it cannot run, and exits with 2', async () => {
  const refusals: [string[], string[], string][] = [
    [[], [], 'certify till needs the command that starts the till, after --'],
    [['--only', 'till.nothing'], PYTHON, '--only must be one of: till.sells, '],
    [['--except', 'till.*'], PYTHON, '--except leaves no case to try'],
    [['--calls', 'none.json'], PYTHON, '--calls none.json: '],
  ];
  for (const [flags, till, message] of refusals) {
    const { code, stderr } = await (await certify(flags, till)).start().ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  const broken = await certify(ASKING, [process.execPath, '-e', 'process.exit(7)']);
  expect((await broken.start().ended).code).toBe(2);
  expect(broken.read().results[0]).toMatchObject({ id: 'till.sells', verdict: 'not shown' });
  expect(broken.read().results[0].reason).toContain('exit code 7');
});

test('certify till: goes on where the reader of its output has gone, and exits with its verdict', async () => {
  const cwd = fixture.folder();
  const words = [process.execPath, MAIN, 'certify', 'till', '--', 'true'].map((word) => shellWord(word));
  const piped = startProgram('bash', ['-c', `${words.join(' ')} | head -1; exit "\${PIPESTATUS[0]}"`], {
    cwd,
  });
  expect((await piped.ended).code).toBe(2);
  const { results } = JSON.parse(readFileSync(join(cwd, 'certificate/certificate.json'), 'utf8'));
  expect(results).toHaveLength(TILL_CASES.length);
});
