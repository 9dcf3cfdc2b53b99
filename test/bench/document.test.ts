import { expect, test } from 'vitest';
import { benchmarksDocument } from '../../bench/document.ts';

const report = {
  version: '1.2.3',
  takenAt: '2026-01-02T03:04:05.000Z',
  machine: { node: 'v20.19.0', platform: 'linux x64', cores: 2, cpu: 'Some CPU' },
  run: { quick: false, loadBefore: 0, minutes: 9.2 },
  results: [
    {
      name: 'http: create',
      unit: '/s' as const,
      ours: 5_000,
      bare: 10_000,
      ratio: { median: 0.5, low: 0.4, high: 0.6 },
      aim: 'at least 0.55',
      met: false,
      details: ['3 rounds', 'bare: node:http'],
    },
  ],
};

test('benchmarksDocument: contains the machine, the date, and each row with its explanations', () => {
  const document = benchmarksDocument(report);
  expect(document).toContain('on 2026-01-02: Tapbench 1.2.3, Node v20.19.0, linux x64, 2 cores (Some CPU).');
  expect(document).toContain(
    '| http: create | 5,000/s | 10,000/s | 0.50 (0.40 to 0.60) | at least 0.55 | **no** |',
  );
  expect(document).toContain('**http: create**\n\n- 3 rounds\n- bare: node:http');
  expect(document).toContain('This run took 10 minutes');
  expect(document).not.toContain('Quick run');
});

test('benchmarksDocument: says that the figures vary after a quick run or on a busy machine', () => {
  const document = benchmarksDocument({ ...report, run: { quick: true, loadBefore: 3, minutes: 1 } });
  expect(document).toContain('Quick run: few rounds, so the figures vary.');
  expect(document).toContain('The machine was busy before this run (load 3.0)');
});

test('benchmarksDocument: has a column of the compared commit, with a dash for what it cannot do', () => {
  const [result] = report.results;
  const document = benchmarksDocument({
    ...report,
    run: { ...report.run, compared: 'dd4ce52' },
    results: [
      { ...result!, before: 2_500 },
      { ...result!, name: 'http: fetch' },
    ],
  });
  expect(document).toContain('| before | ours | bare |');
  expect(document).toContain('| http: create | 2,500/s | 5,000/s | 10,000/s |');
  expect(document).toContain('| http: fetch | — | 5,000/s | 10,000/s |');
  expect(document).toContain('git worktree add ../before dd4ce52');
});
