import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { transitionKey } from '../../../../server/dashboard/chart/chart.ts';
import { drawChart } from '../../../../server/dashboard/chart/draw.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import { marksOf } from '../../../../server/dashboard/chart/marks.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';
import { anyMachine } from './made-machines.ts';
import { flawsOfXml } from './well-formed.ts';
import { property } from '../../../property.ts';

const action = await layOut(ACTION_MACHINE);

/** The opening tag of a group that carries this attribute. */
function group(svg: string, attribute: string): string {
  return new RegExp(`<g[^>]* ${attribute}[^>]*>`).exec(svg)?.[0] ?? '';
}

test.each([ACTION_MACHINE, ...SERVER_MACHINES])(
  'drawChart: draws all states and transitions of $machineId',
  async (shape) => {
    const layout = await layOut(shape);
    const svg = drawChart(layout);
    expect(flawsOfXml(svg)).toEqual([]);
    for (const { path } of layout.states) expect(group(svg, `data-state="${path}"`), path).not.toBe('');
    for (const transition of layout.transitions)
      expect(
        group(svg, `data-transition="${transitionKey(transition)}"`),
        transitionKey(transition),
      ).not.toBe('');
  },
);

property([anyMachine], { numRuns: 20 })('any machine is drawn as XML', async (shape) => {
  expect(flawsOfXml(drawChart(await layOut(shape)))).toEqual([]);
});

test('drawChart: names that contain markup stay text', async () => {
  const name = `<script>alert("1" & '2')</script>\u0000\uD800]]>`;
  const layout = await layOut({
    machineId: name,
    definition: {
      id: name,
      initial: name,
      states: { [name]: { tags: [name], on: { [name]: [{ target: [`#${name}.b`], guard: name }] } }, b: {} },
    },
  });
  const marks = { active: name, visited: new Set<string>(), taken: new Set<string>() };
  const svg = drawChart(layout, { marks });
  expect(flawsOfXml(svg)).toEqual([]);
  expect(svg).toContain('&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;]]&gt;');
  expect(svg).not.toContain('\u0000');
});

test('drawChart: marks the current state, the visited states and the transitions taken', () => {
  const marks = marksOf(action, [
    { event: 'action.started', from: null, state: 'awaitingCard' },
    { event: 'card.read', from: 'awaitingCard', state: 'authorising' },
    { event: 'issuer.approved', from: 'authorising', state: 'approved.printing.merchantCopy' },
  ]);
  const svg = drawChart(action, { marks });
  expect(group(svg, 'data-state="awaitingCard"')).toContain('class="state visited"');
  expect(group(svg, 'data-state="approved.printing.merchantCopy"')).toContain('class="state active"');
  expect(group(svg, 'data-state="approved.printing"')).toContain('class="state compound active"');
  expect(group(svg, 'data-state="awaitingPin"')).toContain('class="state"');
  expect(group(svg, 'data-transition="awaitingCard card.read authorising"')).toContain('class="way taken"');
  expect(group(svg, 'data-transition="awaitingCard device.approved authorising"')).toContain('class="way"');
  expect(svg).toContain('Current state: approved.printing.merchantCopy.');
});

test('drawChart: has a text alternative', () => {
  const svg = drawChart(action);
  expect(svg).toMatch(
    /^<svg [^>]*role="img" aria-label="State chart of action">\n<title>State chart of action</,
  );
  expect(svg).toContain('It begins in awaitingCard. It ends in succeeded, failed, cancelled.');
  expect(group(svg, 'data-state="awaitingCard"')).toContain('aria-label="awaitingCard, InProgress, initial"');
});

test('drawChart: alone it has its own style, in a page that of the page', () => {
  expect(drawChart(action)).toContain('prefers-color-scheme: dark');
  const inPage = drawChart(action, { theme: 'page' });
  expect(inPage).not.toContain('<style>');
  expect(inPage).toContain('role="group"');
  // What begins at once when it is drawn anew at each step is left to the page's style.
  expect(inPage).not.toContain('<animate');
});

test('drawChart: loads nothing from outside and runs no script', () => {
  const svg = drawChart(action).replace('xmlns="http://www.w3.org/2000/svg"', '');
  expect(svg).not.toMatch(/https?:|url\(|href|<script|<image|<foreignObject/i);
});
