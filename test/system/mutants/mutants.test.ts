import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ActionJournal } from '../../../agent/lifecycle/action-journal.ts';
import { countFrom } from '../../kit/count-from.ts';
import type { Json } from '../kit/http-call.ts';
import { startOwnFirmware } from '../kit/own-firmware.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { connectorOf, type Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const RULES = new Set(
  readFileSync(join(import.meta.dirname, '../../../docs/protocol.md'), 'utf8').match(/protocol\.[\w.-]+\w/g),
);
/** The first six, or as many as `MUTANTS` says; `npm run prove:certify` tries all. */
const TRIED = MUTANTS.slice(0, countFrom('MUTANTS', 6));

/** Whether all cases are tried at each, which takes an hour, or its own alone. */
const ALL = process.env['CERTIFY'] === 'all';
/** Folder that keeps what was printed for each mutant. */
const KEPT = process.env['CERTIFICATES'];

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

function journalOf({ journal: altered = {} }: Mutant): (journal: ActionJournal) => ActionJournal {
  const { save = (entry) => entry, keepsAtClear } = altered;
  return (journal) => ({
    load: () => journal.load(),
    save(entry) {
      const kept = save(entry);
      if (kept) journal.save(kept);
    },
    clear: () => (keepsAtClear ? undefined : journal.clear()),
  });
}

test('mutants: each breaks a rule of the protocol, and has a name of its own', () => {
  expect(MUTANTS.map(({ rule }) => rule).filter((rule) => !RULES.has(rule))).toEqual([]);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

/** Certifies a mutant at a server of its own, and returns the results. */
async function certify(mutant: Mutant, serialNumber: string): Promise<Json[]> {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const { terminalId, fleet } = await startOwnFirmware(fixture, tapbench, {
    connect: connectorOf(mutant),
    journal: journalOf(mutant),
    serialNumber,
  });
  const cwd = fixture.folder();
  const env = { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey };
  const only = ALL ? [] : ['--only', `device.${mutant.fails}`];
  const { stdout, stderr } = await fixture.run(['certify', 'device', terminalId, ...only], { cwd, env });
  await fleet.close();
  await tapbench.kill();
  if (KEPT) writeFileSync(join(KEPT, `${serialNumber}.txt`), `${mutant.name}\n${stdout}${stderr}`);
  expect(stderr).toBe('');
  return JSON.parse(readFileSync(join(cwd, 'certificate', 'certificate.json'), 'utf8')).results;
}

/** Returns what the certificate says of the cases with a verdict, by their names. */
function reasonsOf(results: readonly Json[], verdict: string): Record<string, string> {
  const some = results.filter((result) => result.verdict === verdict);
  return Object.fromEntries(some.map(({ id, reason }) => [id.replace('device.', ''), reason]));
}

const containing = (reasons: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(reasons).map(([name, reason]) => [name, expect.stringContaining(reason)]),
  );

test.concurrent.each(TRIED.map((mutant, index) => ({ ...mutant, mutant, index })))(
  'mutants: a terminal that $name fails $fails, and no other case without a reason that is printed',
  async ({ mutant, index, fails, rule, reason, alsoFails = {}, notShown = {} }) => {
    const results = await certify(mutant, String(1_853_100_000 + index));
    expect(results.find(({ id }) => id === `device.${fails}`).rule).toContain(rule);
    const [failed, unseen] = [reasonsOf(results, 'failed'), reasonsOf(results, 'not shown')];
    if (!ALL) return expect(failed).toMatchObject(containing({ [fails]: reason }));
    expect(failed).toEqual(containing({ ...alsoFails, [fails]: reason }));
    const needing = Object.entries(unseen).filter(([, why]) => /^it needs .*, which did not pass$/.test(why));
    expect(unseen).toEqual({ ...Object.fromEntries(needing), ...containing(notShown) });
  },
  ALL ? 3_600_000 : 150_000,
);
