// @ts-check
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { mutateSource } from './mutate-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Whose rules are mutated: what the model takes of terminal and server, besides the declarations of the machines. */
const MUTATED = [
  ...['action-setup', 'deadlines', 'action-events'].map((name) => `agent/lifecycle/${name}.ts`),
  ...['action-transition', 'action.machine', 'action.rules', 'command-messages', 'settlement.rules'].map(
    (name) => `server/api/in-person/actions/${name}.ts`,
  ),
  'server/api/in-person/reports/report-answers.ts',
];

/**
 * Bundles an entry of the model check beside node_modules and returns the path of the bundle.
 * @param {'main' | 'mutants/main' | 'mutants/verdicts'} entry `mutants/` have the mutants of the sources in them
 */
export async function bundleModelCheck(entry) {
  const file = `${root}node_modules/.cache/model-check/${entry}.mjs`;
  const mutated = entry === 'main' ? new Map() : new Map(mutatedSources());
  const changes = [...mutated.values()].flatMap((source) => source.changes);
  await build({
    cwd: root,
    input: `test/model-check/${entry}.ts`,
    platform: 'node',
    checks: { bundlerTimings: false },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.includes('model-check'),
    plugins: [
      {
        name: 'mutants',
        load: (id) => (mutated.has(id) ? { code: mutated.get(id).text, moduleType: 'ts' } : null),
      },
    ],
    transform: { define: { SOURCE_MUTANTS: JSON.stringify(changes) } },
    output: { file, codeSplitting: false },
    logLevel: 'silent',
  });
  return file;
}

/** @returns {Generator<[string, ReturnType<typeof mutateSource>]>} */
function* mutatedSources() {
  let first = 0;
  for (const path of MUTATED) {
    const source = mutateSource(path, readFileSync(root + path, 'utf8'), first);
    first += source.changes.length;
    yield [root + path, source];
  }
}
