import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { describeMachine } from '../../../../protocol/machine-shape.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';
import { standAloneMachine } from '../../../../simulator/twins/stand-alone/terminal.machine.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('docs/machines: has a chart of each machine, and no other', () => {
  const charts = readdirSync(join(ROOT, 'docs/machines')).map((name) => name.replaceAll(/[-.]|svg$/g, ''));
  const machines = [ACTION_MACHINE, describeMachine(standAloneMachine), ...SERVER_MACHINES];
  expect(charts.sort()).toEqual(machines.map(({ machineId }) => machineId.toLowerCase()).sort());
});

test.each([
  ['docs/in-person-payments.md', 'machines/action.svg'],
  ['ARCHITECTURE.md', 'docs/machines/action.svg'],
])('docs: %s shows the chart of a terminal', (name, path) => {
  expect(readFileSync(join(ROOT, name), 'utf8')).toContain(`<img src="${path}"`);
});
