import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../kit/run-program.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

/** A step of a workflow or of a composite action. */
export interface Step {
  name?: string;
  id?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
  'working-directory'?: string;
}

interface Action {
  name: string;
  description: string;
  inputs?: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs?: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Step[] };
}

/** What a step left: `failure` when its program did. */
interface StepResult {
  name: string;
  conclusion: 'success' | 'failure' | 'skipped';
  output: string;
  outputs: Record<string, string>;
}

interface Job {
  workspace: string;
  /** RUNNER_TEMP of each step. */
  temp: string;
  /** Environment of each step. */
  env: Record<string, string>;
  /** Folder of an action by its `uses`; undefined for one of GitHub's own, which is left out. */
  actionFolder(uses: string): string | undefined;
}

type Scope = Record<string, unknown>;

/** Reads a file of YAML with Debian's python3-yaml. */
export async function readYaml<T>(path: string): Promise<T> {
  // It reads YAML 1.1, in which `on` is a boolean.
  const program = `import json, sys, yaml
yaml.SafeLoader.yaml_implicit_resolvers.pop('o')
json.dump(yaml.safe_load(sys.stdin), sys.stdout)`;
  const { code, output } = await runProgram('python3', ['-c', program], {
    input: readFileSync(path, 'utf8'),
  });
  if (code !== 0) throw new Error(`${path}: ${output}`);
  return JSON.parse(output) as T;
}

/**
 * Runs steps as GitHub's runner does, as far as ours need it: expressions with `&&`, `always()`, `failure()` and paths into
 * `steps`, `inputs` and `github`; bash; GITHUB_OUTPUT.
 */
export async function runSteps(
  fixture: SystemFixture,
  steps: Step[],
  job: Job,
  scope: Scope = {},
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const outputs: Record<string, { outputs: Record<string, string> }> = {};
  for (const [index, step] of steps.entries()) {
    const failed = results.some(({ conclusion }) => conclusion === 'failure');
    const inner = { ...scope, steps: outputs, always: () => true, failure: () => failed };
    const name = step.name ?? step.uses ?? `step ${index + 1}`;
    const condition = step.if ?? 'true';
    const isAsked = /\b(always|failure)\(\)/.test(condition) || !failed;
    if (!isAsked || !evaluate(condition, inner)) {
      results.push({ name, conclusion: 'skipped', output: '', outputs: {} });
      continue;
    }
    const result = { name, ...(await runStep(fixture, step, job, inner)) };
    results.push(result);
    if (step.id !== undefined) outputs[step.id] = { outputs: result.outputs };
  }
  return results;
}

type Ran = Omit<StepResult, 'name'>;

function runStep(fixture: SystemFixture, step: Step, job: Job, scope: Scope): Promise<Ran> {
  return step.uses === undefined
    ? runScript(fixture, step, job, scope)
    : runAction(fixture, step, job, scope);
}

/** Runs the steps of a composite action. */
async function runAction(fixture: SystemFixture, step: Step, job: Job, scope: Scope): Promise<Ran> {
  const folder = job.actionFolder(step.uses!);
  if (folder === undefined) return { conclusion: 'success', output: '', outputs: {} };
  const action = await readYaml<Action>(join(folder, 'action.yml'));
  const inputs: Record<string, string> = {};
  for (const [name, { default: otherwise, required }] of Object.entries(action.inputs ?? {})) {
    const given = step.with?.[name];
    if (given === undefined && required) throw new Error(`${step.uses}: input ${name} is missing`);
    inputs[name] = given === undefined ? (otherwise ?? '') : expand(String(given), scope);
  }
  const inner = { inputs, github: { action_path: folder } };
  const results = await runSteps(fixture, action.runs.steps, job, inner);
  const byId = Object.fromEntries(action.runs.steps.map(({ id }, index) => [id ?? index, results[index]!]));
  return {
    conclusion: results.some(({ conclusion }) => conclusion === 'failure') ? 'failure' : 'success',
    output: results.map(({ output }) => output).join(''),
    outputs: Object.fromEntries(
      Object.entries(action.outputs ?? {}).map(([name, { value }]) => [
        name,
        expand(value, { ...inner, steps: byId }),
      ]),
    ),
  };
}

async function runScript(fixture: SystemFixture, step: Step, job: Job, scope: Scope): Promise<Ran> {
  const folder = fixture.folder();
  const script = join(folder, 'script.sh');
  const outputFile = join(folder, 'output');
  writeFileSync(script, expand(step.run!, scope));
  writeFileSync(outputFile, '');
  const env = Object.entries(step.env ?? {}).map(([name, value]) => [name, expand(value, scope)]);
  const ended = await fixture.program('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: expand(step['working-directory'] ?? job.workspace, scope),
    env: {
      ...job.env,
      GITHUB_OUTPUT: outputFile,
      RUNNER_TEMP: job.temp,
      ...Object.fromEntries(env),
    },
  }).ended;
  const lines = readFileSync(outputFile, 'utf8').split('\n').slice(0, -1);
  return {
    conclusion: ended.code === 0 ? 'success' : 'failure',
    output: ended.stdout + ended.stderr,
    outputs: Object.fromEntries(lines.map((line) => /^([^=]+)=(.*)$/.exec(line)!.slice(1))),
  };
}

/** Replaces each `${{ expression }}` by its value. */
function expand(text: string, scope: Scope): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
    String(evaluate(expression, scope)),
  );
}

/** @throws when it is no expression that this runner knows */
function evaluate(expression: string, scope: Scope): unknown {
  const values = expression.split(' && ').map((term) => {
    if (term === 'true') return true;
    const called = /^(\w+)\(\)$/.exec(term);
    if (called) return (scope[called[1]!] as () => unknown)();
    if (!/^\w+(\.[\w-]+)+$/.test(term)) throw new Error(`not an expression: ${term}`);
    // What does not exist is empty.
    return term.split('.').reduce<unknown>((value, key) => (value as Scope | undefined)?.[key], scope) ?? '';
  });
  return values.find((value) => !value) ?? values.at(-1);
}
