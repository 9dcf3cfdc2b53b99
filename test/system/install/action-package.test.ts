import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { runExampleJob } from './example-job.ts';
import { packLightPackage, startRegistry, type LightPackage } from './light-package.ts';
import type { Step } from './workflow-runner.ts';

const ROOT = join(import.meta.dirname, '../../..');
const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let light: LightPackage;
// The actions alone: nothing can be built there.
let repository: string;
beforeAll(async () => {
  light = await packLightPackage(fixture);
  repository = fixture.folder();
  cpSync(join(ROOT, 'deploy/action'), join(repository, 'deploy/action'), { recursive: true });
}, 120_000);

const startWith = (inputs: Record<string, string>) => (step: Step) =>
  step.name === 'Start Tapbench' ? { ...step, with: inputs } : step;

const PASSED = { 'Start Tapbench': 'success', Test: 'success', 'Stop Tapbench': 'success' };
const NOT_STARTED = { 'Start Tapbench': 'failure', Test: 'skipped', 'Stop Tapbench': 'skipped' };

test('action: with the path of a tarball it installs that, and builds nothing', async () => {
  const { conclusions, started } = await runExampleJob(fixture, {
    repository,
    temp: light.temp,
    change: startWith({ package: 'tapbench.tgz' }),
    prepare: (workspace) => cpSync(light.tarball, join(workspace, 'tapbench.tgz')),
  });
  expect({ conclusions, output: started.output }).toMatchObject({ conclusions: PASSED });
}, 120_000);

test('action: with a version it installs that of the registry which npm is set up for', async () => {
  const { url, asked } = await startRegistry(fixture, light);
  const env = { npm_config_registry: url };
  const { conclusions, started } = await runExampleJob(fixture, {
    repository,
    temp: light.temp,
    env,
    change: startWith({ package: light.manifest.version }),
  });
  expect({ conclusions, output: started.output }).toMatchObject({ conclusions: PASSED });
  expect(asked).toEqual(['/tapbench', '/tapbench.tgz']);
  const unknown = await runExampleJob(fixture, {
    repository,
    env,
    change: startWith({ package: '0.0.1-none' }),
  });
  expect(unknown.conclusions).toMatchObject(NOT_STARTED);
  expect(unknown.started.output).toContain('tapbench@0.0.1-none');
}, 120_000);

/** Returns an environment whose `docker` is test/system/install/fake-docker.sh, and the words that it was given. */
function fakeDocker(image: string) {
  const folder = fixture.folder();
  const calls = join(folder, 'calls');
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  cpSync(join(import.meta.dirname, 'fake-docker.sh'), join(programs, 'docker'));
  chmodSync(join(programs, 'docker'), 0o755);
  writeFileSync(calls, '');
  return {
    env: {
      PATH: programs + delimiter + process.env['PATH'],
      DOCKER_CALLS: calls,
      DOCKER_IMAGE: image,
      DOCKER_NODE: process.execPath,
      DOCKER_MAIN: MAIN,
    },
    calls: () => readFileSync(calls, 'utf8').trim().split('\n'),
  };
}

test('action: with the name of an image it runs that by Docker, on the network of the machine', async () => {
  const image = '10.0.0.5:5000/tapbench:1.2.3';
  const docker = fakeDocker(image);
  const { conclusions, started, workspace } = await runExampleJob(fixture, {
    repository,
    env: docker.env,
    change: startWith({ package: image, arguments: '--seed seed.json' }),
    prepare: (folder) => cpSync(join(ROOT, 'examples/seed.json'), join(folder, 'seed.json')),
  });
  expect({ conclusions, output: started.output }).toMatchObject({ conclusions: PASSED });
  const settings = '--env HOST=127.0.0.1 --env PORT --env MQTT_PORT --env RATE_LIMIT';
  expect(docker.calls()).toEqual([
    `image inspect ${image}`,
    `pull --quiet ${image}`,
    `run --rm --network host ${settings} --volume ${workspace}:/job:ro --workdir /job ${image} up --ephemeral --json --seed seed.json`,
  ]);
}, 120_000);

test('action: an image that Docker cannot pull fails the step', async () => {
  const docker = fakeDocker('tapbench');
  const { conclusions } = await runExampleJob(fixture, {
    repository,
    env: { ...docker.env, DOCKER_PULL: '1' },
    change: startWith({ package: 'tapbench' }),
  });
  expect(conclusions).toMatchObject(NOT_STARTED);
  expect(docker.calls()).toEqual(['image inspect tapbench', 'pull --quiet tapbench']);
}, 120_000);
