import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionJournal } from '../../../agent/lifecycle/action-journal.ts';
import { countFrom } from '../../kit/count-from.ts';
import type { Json } from '../kit/http-call.ts';
import { startOwnFirmware } from '../kit/own-firmware.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { connectorOf, type Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const RULES = new Set(
  readFileSync(join(import.meta.dirname, '../../../docs/protocol.md'), 'utf8').match(/protocol\.[\w.-]+\w/g),
);
/** The first six, or as many as `MUTANTS` says; `npm run prove:certify` tries all. */
const TRIED = MUTANTS.slice(0, countFrom('MUTANTS', 6));

const fixture = createSystemFixture();
let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
});
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

test.each(TRIED.map((mutant, index) => ({ ...mutant, mutant, index })))(
  'mutants: a terminal that $name fails $fails',
  async ({ mutant, index, fails, rule, reason }) => {
    const { terminalId: id, fleet } = await startOwnFirmware(fixture, tapbench, {
      connect: connectorOf(mutant),
      journal: journalOf(mutant),
      serialNumber: String(1_853_100_000 + index),
    });
    const cwd = fixture.folder();
    const { url, secretKey } = tapbench;
    const env = { TAPBENCH_URL: url, SECRET_KEY: secretKey };
    await fixture.run(['certify', 'device', id, '--only', `device.${fails}`], { cwd, env });
    await fleet.close();
    const { results }: Json = JSON.parse(readFileSync(join(cwd, 'certificate', 'certificate.json'), 'utf8'));
    const found = results.find((result: Json) => result.id === `device.${fails}`);
    expect(found).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining(reason),
      rule: expect.stringContaining(rule),
    });
  },
  150_000,
);
