import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../../cli/drills/stage.ts';
import { freePort } from '../../kit/free-port.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { startPostgres } from './postgres-server.ts';

/** Rounds of each engine; `npm run prove:compare` does ten. */
const ROUNDS = Number(process.env['COMPARE_ROUNDS'] ?? 1);
/** Areas of a round; undefined for all. */
const ONLY = process.env['COMPARE_ROUNDS'] === undefined ? ['money', 'subscriptions'] : undefined;
const ROUND_MS_MAX = 300_000;

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

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
      const reasons = results.flatMap(({ notShown }: Json) => notShown ?? []);
      const others = reasons.filter((reason: string) => !reason.includes('needs a person'));
      expect([others, results.length > 40, code]).toEqual([[], true, reasons.length > 0 ? 2 : 0]);
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
