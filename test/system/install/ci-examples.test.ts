import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { MAIN } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { readYaml } from './workflow-runner.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const EXAMPLES = join(import.meta.dirname, '../../../examples/ci');
const closed = { additionalProperties: false };
const texts = Type.Array(Type.String(), { minItems: 1 });
const variables = Type.Record(Type.String({ pattern: '^[A-Z_]+$' }), Type.String());

/** The keywords of GitLab (docs.gitlab.com/ci/yaml) that the example uses. */
const GITLAB = Type.Object(
  {
    stages: texts,
    payments: Type.Object(
      {
        stage: Type.String(),
        image: Type.String(),
        variables,
        script: texts,
        after_script: texts,
        artifacts: Type.Object(
          {
            when: Type.Union(['always', 'on_failure', 'on_success'].map((when) => Type.Literal(when))),
            paths: texts,
            reports: Type.Object({ junit: texts }, closed),
          },
          closed,
        ),
      },
      closed,
    ),
  },
  closed,
);

/** The keywords of Azure Pipelines (learn.microsoft.com/azure/devops/pipelines/yaml-schema) that the example uses. */
const step = { displayName: Type.String(), condition: Type.Optional(Type.Literal('always()')) };
const AZURE = Type.Object(
  {
    trigger: texts,
    pool: Type.Object({ vmImage: Type.String() }, closed),
    variables,
    steps: Type.Array(
      Type.Union([
        Type.Object({ ...step, bash: Type.String() }, closed),
        Type.Object({ ...step, publish: Type.String(), artifact: Type.String() }, closed),
        Type.Object(
          {
            ...step,
            task: Type.Literal('PublishTestResults@2'),
            inputs: Type.Object(
              {
                testResultsFormat: Type.Literal('JUnit'),
                testResultsFiles: Type.String(),
                failTaskOnMissingResultsFile: Type.Boolean(),
              },
              closed,
            ),
          },
          closed,
        ),
      ]),
    ),
  },
  closed,
);

/** A shop in which Tapbench is installed, so that `npm ci` has nothing to do. */
function shop(): string {
  const folder = fixture.folder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(MAIN, join(bin, 'tapbench'));
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\n[ "$*" = ci ]\n');
  chmodSync(join(bin, 'npm'), 0o755);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  for (const file of ['payment.test.mjs', 'shop.hunt.mjs']) cpSync(join(EXAMPLES, file), join(folder, file));
  return folder;
}

/** Runs scripts one after the other, each in a shell of its own. Returns the folder of the shop, and what they print. */
async function runScripts(scripts: readonly string[], env: Record<string, string>, shell: string[]) {
  const cwd = shop();
  const path = `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}`;
  const [program = '', ...words] = shell;
  fixture.onCleanUp(() => fixture.run(['down'], { cwd }));
  let output = '';
  for (const script of scripts) {
    const options = { cwd, env: { ...env, PATH: path, npm_config_offline: 'true' } };
    const ended = await fixture.program(program, [...words, script], options).ended;
    expect([script, ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([script, 0, '']);
    output += ended.stdout;
  }
  return { cwd, output };
}

/** Checks the files of a hunt that finds nothing: it has tried its plans, and SARIF has no result. */
function expectHunted(cwd: string): void {
  expect(readFileSync(join(cwd, 'hunt.xml'), 'utf8')).toMatch(PASSED);
  const { runs } = JSON.parse(readFileSync(join(cwd, 'hunt.sarif'), 'utf8'));
  expect(runs).toMatchObject([{ results: [], invocations: [{ executionSuccessful: true }] }]);
}

const PASSED = /<testcase (?![\s\S]*<(failure|error|skipped)\b)/;

/** Runs the scripts of a pipeline, and checks what it publishes. */
async function runPipeline(scripts: readonly string[], env: Record<string, string>, shell: string[]) {
  const { cwd, output } = await runScripts(scripts, env, shell);
  expect(output).toMatch(/has stopped\n$/);
  expect(output).toMatch(/^nothing found: 201 plans tried/m);
  const results = ['junit.xml', 'drill.xml'].map((file) => readFileSync(join(cwd, file), 'utf8'));
  expect(results[0]).toContain('a payment of 17.42 is captured');
  for (const result of results) expect(result).toMatch(PASSED);
  expectHunted(cwd);
}

test('examples: the hunt of the workflow of GitHub passes, and its file of SARIF is the one that is uploaded', async () => {
  interface Step {
    run?: string;
    with?: Record<string, unknown>;
  }
  const { jobs } = await readYaml<{ jobs: { hunt: { steps: Step[] } } }>(join(EXAMPLES, 'tapbench.yml'));
  const scripts = jobs.hunt.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const { cwd } = await runScripts(scripts, { CI: 'true' }, ['bash', '-e', '-c']);
  expectHunted(cwd);
  expect(jobs.hunt.steps.at(-1)?.with).toEqual({ sarif_file: 'hunt.sarif' });
}, 60_000);

test('examples: the pipeline of GitLab has its keywords, and its scripts pass and stop the server', async () => {
  interface Job {
    stage: string;
    script: string[];
    after_script: string[];
    variables: Record<string, string>;
  }
  const pipeline = await readYaml<{ stages: string[]; payments: Job }>(join(EXAMPLES, '.gitlab-ci.yml'));
  expect([...Value.Errors(GITLAB, pipeline)]).toEqual([]);
  const { stage, script, after_script: after, variables: env } = pipeline.payments;
  expect(pipeline.stages).toContain(stage);
  // GitLab runs all lines of a script in one shell.
  const scripts = [script, after].map((lines) => lines.join('\n'));
  await runPipeline(scripts, env, ['bash', '-eo', 'pipefail', '-c']);
}, 90_000);

test('examples: the pipeline of Azure has its keywords, and its steps pass and stop the server', async () => {
  const pipeline = await readYaml<{ variables: Record<string, string>; steps: { bash?: string }[] }>(
    join(EXAMPLES, 'azure-pipelines.yml'),
  );
  expect([...Value.Errors(AZURE, pipeline)]).toEqual([]);
  const scripts = pipeline.steps.flatMap(({ bash }) => (bash === undefined ? [] : [bash]));
  await runPipeline(scripts, pipeline.variables, ['bash', '--noprofile', '--norc', '-c']);
}, 90_000);

/** Groovy's own parser, up to the syntax tree. */
const PARSE = `new org.codehaus.groovy.control.CompilationUnit().with {
  addSource(new File(args[0])); compile(org.codehaus.groovy.control.Phases.CONVERSION); println 'parsed' }`;

test('examples: the Jenkinsfile is Groovy', async () => {
  // Debian's groovy looks for Java where only its default package puts it.
  const env = { JAVA_HOME: dirname(dirname(realpathSync('/usr/bin/java'))) };
  const parse = (path: string) => fixture.program('groovy', ['-e', PARSE, path], { env }).ended;
  expect(await parse(join(EXAMPLES, 'Jenkinsfile'))).toMatchObject({ code: 0, stdout: 'parsed\n' });
  const broken = join(fixture.folder(), 'Jenkinsfile');
  writeFileSync(broken, 'pipeline { agent any');
  expect(await parse(broken)).toMatchObject({ code: 1, stdout: '' });
}, 60_000);

test('examples: the scripts of the Jenkinsfile pass and stop the server', async () => {
  const text = readFileSync(join(EXAMPLES, 'Jenkinsfile'), 'utf8');
  const scripts = [...text.matchAll(/\bsh (?:'''([\s\S]*?)'''|'([^'\n]*)')/g)].map(
    (found) => found[1] ?? found[2]!,
  );
  expect(scripts).toHaveLength(6);
  const env = Object.fromEntries(
    [...text.matchAll(/^ +([A-Z_]+) = '(.*)'$/gm)].map((found) => [found[1]!, found[2]!]),
  );
  await runPipeline(scripts, env, ['sh', '-xe', '-c']);
}, 90_000);
