import { expect, test } from 'vitest';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import { readOptions } from '../../testing/reporter/options.ts';
import type { ReportData, ReportFile, WorldTimeline } from '../../testing/reporter/report-data.ts';
import { renderReport, renderLivePage } from '../../testing/reporter/report-file.ts';
import { packTimelines } from '../../testing/reporter/run-record.ts';
import { summaryLines } from '../../testing/reporter/summary.ts';
import { readReport } from './read-report.ts';

const PAGE = { script: 'console.log("</script>")', style: 'p{}' };

/** As random as what does not shrink: hexadecimal of a simple generator. */
function noise(seed: number, length: number): string {
  let text = '';
  for (let state = seed; text.length < length;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(16);
  }
  return text.slice(0, length);
}

const storyOf = (testId: string, detailLength: number): WorldTimeline => {
  const entry: TimelineEntry = {
    seq: 1,
    atMs: 0,
    lane: 'api',
    kind: 'request',
    terminalId: null,
    actionId: null,
    objectId: null,
    title: noise(testId.length * 7 + detailLength, 2_000),
    tone: 'plain',
    detail: noise(Number(testId) + 1, detailLength),
  };
  return { testId, attempt: 0, entries: [entry], dropped: 0 };
};

function reportOf(limitBytes: number, states: ('passed' | 'failed')[], detailLength = 20_000) {
  const files = states.map((state, index): ReportFile => {
    const found = {
      id: String(index),
      name: `test ${index}`,
      state,
      durationMs: 1,
      errors: [],
      console: [],
      steps: 0,
      hunts: [],
      traces: [],
    };
    return { path: `${index}.test.ts`, project: '', errors: [], tests: [found], packet: null };
  });
  const data: ReportData = {
    version: '1',
    madeAtMs: 0,
    worlds: 1,
    outcome: 'passed',
    durationMs: 1,
    machines: [],
    files,
    leftOut: { limitBytes, withoutDetails: 0, withoutTimeline: 0 },
  };
  const packets = states.map((state, file) => ({
    file,
    packed: packTimelines([storyOf(String(file), detailLength)]),
    hasFailures: state === 'failed',
  }));
  return renderReport(PAGE, data, packets, 'Tests & <more>');
}

test('report file: contains everything below the size limit', () => {
  const { html, leftOut } = reportOf(10_000_000, ['passed', 'failed']);
  expect(leftOut).toMatchObject({ withoutDetails: 0, withoutTimeline: 0 });
  const report = readReport(html);
  expect(report.tests.map(({ name }) => name)).toEqual(['test 0', 'test 1']);
  expect(report.timelinesOf('test 1')[0]!.entries[0]!.detail).toHaveLength(20_000);
  expect(html).toContain('<title>Tests &amp; &lt;more&gt;</title>');
});

test('report file: no content ends its script early, and its policy allows that script only', () => {
  const { html } = reportOf(10_000_000, ['passed']);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  expect(html).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; .*connect-src 'none'/);
  expect(renderLivePage(PAGE, 'x')).toMatch(/connect-src 'self'/);
});

test('report file: over the limit passing tests lose their details first, then their timelines; failing ones last', () => {
  const roomy = reportOf(10_000_000, ['passed', 'passed', 'failed']).html.length;
  const without = reportOf(roomy - 1_000, ['passed', 'passed', 'failed']);
  expect(without.leftOut).toMatchObject({ withoutDetails: 1, withoutTimeline: 0 });
  expect(without.html.length).toBeLessThanOrEqual(roomy - 1_000);
  expect(readReport(without.html).timelinesOf('test 2')[0]!.entries[0]!.detail).not.toBeNull();

  const tight = reportOf(4_300, ['passed', 'passed', 'failed']);
  expect(tight.leftOut).toMatchObject({ withoutDetails: 1, withoutTimeline: 2 });
  expect(tight.html.length).toBeLessThanOrEqual(4_300);
  expect(readReport(tight.html).timelinesOf('test 0')).toEqual([]);
  expect(readReport(tight.html).timelinesOf('test 2')[0]!.entries[0]).toMatchObject({ detail: null });
});

test('report summary: names the traces of failed tests, and what was left out', () => {
  const leftOut = { limitBytes: 20_000_000, withoutDetails: 3, withoutTimeline: 1 };
  const machines = [{ shape: { machineId: 'm' }, coverage: null }];
  const tests = [
    { name: 'a sale', hunts: [], traces: [{ path: 'traces/a-sale.tapbench', href: '', problem: null }] },
    { name: 'a refund', hunts: [], traces: [] },
  ];
  const data = { machines, files: [{ tests }] } as unknown as ReportData;
  const seen = { states: [{ key: 'a', times: 1 }], transitions: [{ key: 't', times: 0 }] };
  data.machines[0]!.coverage = { machineId: 'm', unexplained: [], ...seen };
  expect(summaryLines(data, { path: 'r.html', bytes: 19_960_000, leftOut })).toEqual([
    "Tapbench trace of the failed test 'a sale':",
    '  npx tapbench trace traces/a-sale.tapbench --open',
    'Tapbench report: r.html (20.0 MB)',
    'Tapbench report: shortened to 20.0 MB: 3 test files without details, 1 without timelines',
    'Tapbench saw: m 100 % of states, 0 % of transitions',
  ]);
});

test('report summary: a hunt that finds nothing says in how many plans, and what it did not test', () => {
  const hunt = { seed: '1', verdict: null, plans: 9, notJudged: 2, tried: [], warnings: ['no payment'] };
  const tests = [{ name: 'a sale', traces: [], hunts: [hunt, { ...hunt, verdict: 'charged twice' }] }];
  const data = { machines: [], files: [{ tests }], worlds: 0 } as unknown as ReportData;
  expect(summaryLines(data, undefined)).toEqual([
    "Tapbench hunt of 'a sale': nothing found (9 plans, seed 1)",
    '  not judged: 2 plans',
    '  warning: no payment',
    "Tapbench hunt of 'a sale': charged twice (9 plans, seed 1)",
    '  not judged: 2 plans',
    '  warning: no payment',
  ]);
});

test('report settings: the environment overrides the configuration, and an invalid number throws with its name', () => {
  expect(readOptions({ file: 'a.html', paceMs: 5 }, {})).toMatchObject({
    file: 'a.html',
    paceMs: 5,
    port: 0,
  });
  expect(readOptions({ file: 'a.html' }, { TAPBENCH_REPORT: '', TAPBENCH_PACE: '300' })).toMatchObject({
    file: '',
    paceMs: 300,
  });
  expect(() => readOptions({}, { TAPBENCH_PACE: 'slow' })).toThrow(
    "TAPBENCH_PACE must be a whole number up to 60000, not 'slow'",
  );
});

test('summary: a world whose test failed before the first step of a machine was started', () => {
  const data = { files: [], machines: [], worlds: 1 } as unknown as ReportData;
  expect(summaryLines(data, undefined)).toEqual(['Tapbench: no machine made a step']);
  expect(summaryLines({ ...data, worlds: 0 }, undefined)).toEqual(['Tapbench: no test started a world']);
});
