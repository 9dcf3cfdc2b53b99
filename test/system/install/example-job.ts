import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemFixture } from '../kit/system-fixture.ts';
import { readYaml, runSteps, type Step } from './workflow-runner.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface ExampleJob {
  /** Folder of the repository that the actions of the job are in. */
  repository: string;
  change?: (step: Step) => Step;
  env?: Record<string, string>;
  /** RUNNER_TEMP of its steps; one of its own by default. */
  temp?: string;
  /** Called with the folder of the job before it runs. */
  prepare?(workspace: string): void;
}

/** Runs the job of examples/ci/tapbench.yml in a shop whose test is the example's, with steps changed by `change`. */
export async function runExampleJob(
  fixture: SystemFixture,
  { repository, change = (step) => step, env = {}, temp, prepare }: ExampleJob,
) {
  const file = join(ROOT, 'examples/ci/tapbench.yml');
  const { jobs } = await readYaml<{ jobs: { test: { steps: Step[] } } }>(file);
  const workspace = fixture.folder();
  cpSync(join(ROOT, 'examples/ci/payment.test.mjs'), join(workspace, 'payment.test.mjs'));
  prepare?.(workspace);
  const results = await runSteps(fixture, jobs.test.steps.map(change), {
    workspace,
    temp: temp ?? fixture.folder(),
    env,
    actionFolder: (uses) => {
      const own = /^your-organisation\/tapbench\/(.*)@main$/.exec(uses);
      return own ? join(repository, own[1]!) : undefined;
    },
  });
  const conclusions = Object.fromEntries(results.map(({ name, conclusion }) => [name, conclusion]));
  const resultOf = (title: string) => results.find(({ name }) => name === title)!;
  return { conclusions, started: resultOf('Start Tapbench'), stopped: resultOf('Stop Tapbench'), workspace };
}
