import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { packageRoot } from '../../../protocol/package-root.ts';
import { layOutMachines } from '../../../world/lay-out-machines.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('build: lays out each machine as the sources do', async () => {
  const built = readFileSync(join(packageRoot(), 'dist/server/dashboard/layouts.json'), 'utf8');
  expect(JSON.parse(built)).toEqual(await layOutMachines());
});

test('server: returns the charts of its own machines and of its terminal without the graph library', async () => {
  const hook = pathToFileURL(join(import.meta.dirname, 'without-elkjs.mjs')).href;
  const tapbench = await fixture.tapbench({ env: { NODE_OPTIONS: `--import=${hook}` } });
  const machines = async () => (await tapbench.api('GET', '/dashboard/machines')).body.machines;
  // The terminal describes its machine when it is online.
  await expect.poll(machines).toHaveLength(7);
  for (const { layout } of await machines()) expect(layout.states.length).toBeGreaterThan(1);
});
