import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { call } from '../kit/http-call.ts';
import { runExampleJob } from './example-job.ts';
import { cloneRepository } from './fresh-clone.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { readYaml, type Step } from './workflow-runner.ts';

const ROOT = join(import.meta.dirname, '../../..');
const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** The parts of the published schemas of actions and workflows (schemastore.org) that composite actions and jobs use. */
const closed = { additionalProperties: false };
const name = '^[_a-zA-Z][a-zA-Z0-9_-]*$';
const optional = { id: Type.Optional(Type.String({ pattern: name })), if: Type.Optional(Type.String()) };
const strings = Type.Record(Type.String(), Type.String());
const scriptStep = { ...optional, name: Type.Optional(Type.String()), env: Type.Optional(strings) };
const folder = { 'working-directory': Type.Optional(Type.String()) };
const usesStep = Type.Object(
  {
    ...optional,
    name: Type.Optional(Type.String()),
    uses: Type.String({ pattern: '^[\\w-]+(/[\\w-]+)+@[\\w.-]+$' }),
    with: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    ),
  },
  closed,
);
const ACTION = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    inputs: Type.Record(
      Type.String({ pattern: name }),
      Type.Object(
        {
          description: Type.String(),
          required: Type.Optional(Type.Boolean()),
          default: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
    outputs: Type.Optional(
      Type.Record(
        Type.String({ pattern: name }),
        Type.Object({ description: Type.String(), value: Type.String() }, closed),
      ),
    ),
    runs: Type.Object(
      {
        using: Type.Literal('composite'),
        // A script in a composite action must name its shell.
        steps: Type.Array(
          Type.Object({ ...scriptStep, ...folder, run: Type.String(), shell: Type.Literal('bash') }, closed),
        ),
      },
      closed,
    ),
  },
  closed,
);
const JOB = {
  'runs-on': Type.Literal('ubuntu-latest'),
  'timeout-minutes': Type.Number(),
  steps: Type.Array(Type.Union([usesStep, Type.Object({ ...scriptStep, run: Type.String() }, closed)])),
};
/** What uploading SARIF needs (docs.github.com, Uploading a SARIF file to GitHub). */
const UPLOADS = {
  permissions: Type.Object(
    { contents: Type.Literal('read'), 'security-events': Type.Literal('write') },
    closed,
  ),
};
const WORKFLOW = Type.Object(
  {
    name: Type.String(),
    on: Type.Array(Type.Literal('push')),
    permissions: Type.Record(Type.Literal('contents'), Type.Literal('read')),
    jobs: Type.Object(
      { test: Type.Object(JOB, closed), hunt: Type.Object({ ...JOB, ...UPLOADS }, closed) },
      closed,
    ),
  },
  closed,
);

let clone: string;
beforeAll(async () => {
  clone = await cloneRepository(fixture);
});

const runJob = (change?: (step: Step) => Step) =>
  runExampleJob(fixture, { repository: clone, ...(change && { change }) });

test('action: the files meet the schema of composite actions and of workflows', async () => {
  const actions = ['deploy/action/action.yml', 'deploy/action/stop/action.yml'];
  for (const file of actions)
    expect([file, [...Value.Errors(ACTION, await readYaml(join(ROOT, file)))]]).toEqual([file, []]);
  expect([...Value.Errors(WORKFLOW, await readYaml(join(ROOT, 'examples/ci/tapbench.yml')))]).toEqual([]);
});

test('action: the job of the example takes a payment and stops the server', async () => {
  const { conclusions, started, workspace } = await runJob();
  expect({ conclusions, output: started.output }).toMatchObject({
    conclusions: {
      'Start Tapbench': 'success',
      Test: 'success',
      'Upload the log': 'skipped',
      'Stop Tapbench': 'success',
    },
  });
  const { startup, ...outputs } = started.outputs;
  expect(outputs).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    'mqtt-url': expect.stringMatching(/^mqtt:/),
    account: expect.stringMatching(/^ac_/),
    terminal: expect.stringMatching(/^tml_/),
    log: join(workspace, 'tapbench.log'),
  });
  const { secretKey, publicKey, dashboardUrl } = JSON.parse(startup!);
  for (const secret of [secretKey, publicKey, dashboardUrl.split('token=')[1]])
    expect(started.output.split(secret)).toEqual([
      expect.stringMatching(/::add-mask::$/),
      expect.not.stringContaining(secret),
    ]);
  await expect(call({ method: 'GET', url: `${outputs['url']}/healthz` })).rejects.toThrow('ECONNREFUSED');
}, 240_000);

test('action: after a test that fails, the log is uploaded and the server is stopped', async () => {
  const { conclusions, started } = await runJob((step) =>
    step.name === 'Test' ? { ...step, run: 'exit 1' } : step,
  );
  expect(conclusions).toMatchObject({
    Test: 'failure',
    'Upload the log': 'success',
    'Stop Tapbench': 'success',
  });
  expect(existsSync(started.outputs['log']!)).toBe(true);
}, 240_000);

test('action: to stop a server that has ended before fails the step', async () => {
  const ended = fixture.program('true', []);
  await ended.ended;
  const { conclusions, stopped } = await runJob((step) =>
    step.name === 'Stop Tapbench'
      ? { ...step, with: { pid: ended.pid } }
      : step.name === 'Test'
        ? { ...step, run: 'kill "$TAPBENCH_PID"', env: { TAPBENCH_PID: '${{ steps.tapbench.outputs.pid }}' } }
        : step,
  );
  expect(conclusions).toMatchObject({ Test: 'success', 'Stop Tapbench': 'failure' });
  expect(stopped.output).toContain('::error::Tapbench had ended before');
}, 240_000);

test('action: a server that does not start fails its step with what it logged', async () => {
  const { conclusions, started, workspace } = await runJob((step) =>
    step.name === 'Start Tapbench' ? { ...step, with: { arguments: '--seed nowhere.json' } } : step,
  );
  expect(conclusions).toMatchObject({
    'Start Tapbench': 'failure',
    Test: 'skipped',
    'Upload the log': 'success',
    'Stop Tapbench': 'skipped',
  });
  expect(started.output).toContain('--seed nowhere.json cannot be read');
  expect(started.output).toContain('::error title=Tapbench ended before it was ready::');
  expect(readFileSync(join(workspace, 'tapbench.log'), 'utf8')).toContain('nowhere.json');
}, 240_000);
