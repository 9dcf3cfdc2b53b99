import { figure, headOf, warningsOf, type Report, type Result } from './report.ts';

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
      'median of all rounds, then the lowest and the highest.',
    tableOf(results),
    '## Rows',
    ...results.map(({ name, details }) =>
      [`**${name}**`, '', ...details.map((line) => `- ${line}`)].join('\n'),
    ),
    '## To repeat it',
    ['```', 'npm ci', 'npm run bench', 'npm run bench -- --only start,http --quick', '```'].join('\n'),
    'The machine should do nothing else. `--profile` also writes CPU profiles of our servers, `--help` lists the ' +
      'options. `bench/results/latest.json` has the results of the last run.',
  ].join('\n\n');
}

function tableOf(results: Result[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rows = results.map(({ name, unit, ours, bare, ratio, aim, met }) => [
    name,
    figure(ours, unit),
    figure(bare, unit),
    `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
    aim ?? 'none',
    met === null ? '' : met ? 'yes' : '**no**',
  ]);
  const heading = ['', 'ours', 'bare', 'ratio', 'aim', 'met'];
  return [line(heading), '| --- | ---: | ---: | ---: | --- | --- |', ...rows.map(line)].join('\n');
}
