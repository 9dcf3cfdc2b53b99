import { BOUNDS } from './bounds.ts';
import { cellsOf, headOf, HEADINGS, warningsOf, withoutBefore, type Report } from './report.ts';

/** Returns the content of docs/benchmarks.md. */
export function benchmarksDocument(report: Report): string {
  const { takenAt, results, machine, run } = report;
  const warnings = warningsOf(machine.cores, run).filter((line) => line !== '');
  return [
    '# Benchmarks',
    `Written by \`npm run bench -- --write-docs\` on ${takenAt.slice(0, 10)}: ${headOf(report)}.`,
    ...warnings,
    'Each row compares Tapbench with a bare baseline that does only what has to be done, such as an append to a file ' +
      'for a request that must be durable. Both run in turns in the same run, so other load affects both, and the ' +
      'ratio means more than the figures: machines differ threefold. The ratio is ours divided by the baseline: the ' +
      'median of all rounds, then the lowest and the highest.' +
      beforeNote(run.compared),
    tableOf(report),
    '## What bounds the rows that miss their aim',
    ...BOUNDS,
    '## Rows',
    ...results.map(({ name, details }) =>
      [`**${name}**`, '', ...details.map((line) => `- ${line}`)].join('\n'),
    ),
    '## To repeat it',
    ['```', 'npm ci', ...fullRun(run.compared), 'npm run bench -- --only start,http --quick', '```'].join(
      '\n',
    ),
    `This run took ${Math.ceil(run.minutes)} minutes; the machine should do nothing else. \`--peers\` installs other servers ` +
      'for the run and measures beside them, `--compare` measures another checkout, `--only memory --payments 100000` takes ' +
      'as many payments, `--only fleet-payments` takes one at each of 10,000 terminals. `--profile` also writes CPU profiles of our servers, `--help` lists the ' +
      'options. `bench/results/latest.json` has the results of the last run.',
  ].join('\n\n');
}

function beforeNote(compared: string | undefined): string {
  if (compared === undefined) return '';
  return (
    ` Before is ours at the commit ${compared}, measured in turns with both; it has a dash where that commit ` +
    'cannot be driven from outside.'
  );
}

function fullRun(compared: string | undefined): string[] {
  if (compared === undefined) return ['npm run bench'];
  return [
    `git worktree add ../before ${compared} && (cd ../before && npm ci)`,
    'npm run bench -- --compare ../before',
  ];
}

function tableOf({ results, run }: Report): string {
  const line = (cells: string[]) => `| ${withoutBefore(cells, run).join(' | ')} |`;
  const rules = HEADINGS.map((heading) => (RIGHT_ALIGNED.includes(heading) ? '---:' : '---'));
  const rows = results.map(cellsOf).map((cells) => cells.map((cell) => (cell === 'NO' ? '**no**' : cell)));
  return [HEADINGS, rules, ...rows].map(line).join('\n');
}

const RIGHT_ALIGNED = ['before', 'ours', 'bare'];
