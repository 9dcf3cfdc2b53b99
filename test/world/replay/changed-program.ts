import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import type * as ReplayProgram from './replay-program.ts';
import type { ChangedRule } from './changed-rule.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
// Beside the packages that it imports.
const BUNDLE = `${ROOT}node_modules/.cache/changed-rules/replay-program.mjs`;

/** Versions of the program that replays traces. */
export interface ChangedProgram {
  /** Loads the version in which one rule is changed, or the one without a change. */
  load(rule?: ChangedRule): Promise<typeof ReplayProgram>;
}

/**
 * Builds the program that replays traces, from its sources, with all these changes in one bundle. Which of them is made is
 * decided as a version is loaded, so that it holds for constants too.
 */
export async function buildChangedProgram(rules: readonly ChangedRule[]): Promise<ChangedProgram> {
  await build({
    cwd: ROOT,
    input: 'test/world/replay/replay-program.ts',
    platform: 'node',
    // All packages but the bundler's own, which is in what it writes.
    external: /^(?!@oxc-project\/)[@a-z]/,
    plugins: [changing(rules)],
    output: {
      file: BUNDLE,
      codeSplitting: false,
      banner: "const CHANGED_RULE = new URL(import.meta.url).searchParams.get('rule');",
    },
    checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
  });
  return {
    load: (rule) => {
      const url = pathToFileURL(BUNDLE);
      if (rule) url.searchParams.set('rule', rule.rule);
      return import(url.href) as Promise<typeof ReplayProgram>;
    },
  };
}

/** Puts the changes into the sources as they are read. */
function changing(rules: readonly ChangedRule[]): Plugin {
  const unread = new Set(rules);
  return {
    name: 'changed-rules',
    load(path) {
      const own = rules.filter(({ file }) => path === ROOT + file);
      if (own.length === 0) return null;
      for (const rule of own) unread.delete(rule);
      return { code: own.reduce(withChange, readFileSync(path, 'utf8')), moduleType: 'ts' };
    },
    buildEnd() {
      for (const { file } of unread)
        throw new Error(`${file} is no source of the program that replays traces`);
    },
  };
}

function withChange(source: string, { rule, file, after, from, to }: ChangedRule): string {
  const parts = source.split(after + from);
  if (parts.length !== 2)
    throw new Error(`${file} has "${after}${from}" ${parts.length - 1} times instead of once`);
  return parts.join(`${after}(CHANGED_RULE === ${JSON.stringify(rule)} ? ${to} : ${from})`);
}
