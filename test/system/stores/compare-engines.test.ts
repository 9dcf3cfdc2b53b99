import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../../cli/drills/stage.ts';
import { freePort } from '../../kit/free-port.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { startPostgres } from './postgres-server.ts';

/** Rounds of each engine; `npm run prove:compare` does ten. */
const ROUNDS = Number(process.env['COMPARE_ROUNDS'] ?? 1);
/** Areas of a round; undefined for all. */
const ONLY = process.env['COMPARE_ROUNDS'] === undefined ? ['money', 'subscriptions'] : undefined;
/** Scenarios of these areas. */
const SCENARIOS = filesOf(join(import.meta.dirname, '../../../compare/scenarios')).length;
const ROUND_MS_MAX = 300_000;

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

function filesOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.json') && (ONLY?.includes(dirname(name)) ?? true));
}

test.each(['the embedded store', 'PostgreSQL'])(
  'compare: ourselves with ourselves on %s, in each round no difference',
  async (engine) => {
    const tapbench = await fixture.tapbench({ env: await databaseOf(engine) });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const there: Json = (await tapbench.api('POST', '/sandboxes', { strict: 'on', pace: 'instant' })).body;
      const folder = fixture.folder();
      const port = String(await freePort());
      const receiver = ['--receiver', `http://127.0.0.1:${port}`, '--receiver-port', port];
      const only = ONLY === undefined ? [] : ['--only', ONLY.join(',')];
      const { code, stdout } = await fixture.command(
        ['compare', '--to', tapbench.url, '--rate', '50', '--yes', ...receiver, ...only],
        {
          cwd: folder,
          env: {
            TAPBENCH_URL: tapbench.url,
            SECRET_KEY: tapbench.secretKey,
            COMPARE_KEY: there.secretKey,
            COMPARE_PUBLIC_KEY: there.publicKey,
          },
        },
      ).ended;
      const { differences, results }: Json = JSON.parse(
        readFileSync(join(folder, 'comparison/comparison.json'), 'utf8'),
      );
      expect(differences, `round ${round}: ${stdout}`).toEqual([]);
      const notTried = results.flatMap(({ needs }: Json) => needs ?? []);
      expect([...new Set(notTried)]).toEqual(ONLY === undefined ? ['hands'] : []);
      const notShown = results.filter(
        ({ notShown: reason, needs }: Json) => reason !== null && needs === null,
      );
      expect([notShown, code]).toEqual([[], 0]);
      expect(results.length).toBeGreaterThanOrEqual(SCENARIOS);
    }
  },
  ROUND_MS_MAX * ROUNDS,
);

async function databaseOf(engine: string): Promise<Record<string, string>> {
  if (engine !== 'PostgreSQL') return {};
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  return { DATABASE_URL: postgres.url };
}
