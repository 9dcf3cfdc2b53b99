import { percentOf } from './coverage.ts';
import type { LeftOut, ReportData, ReportTest } from './report-data.ts';

export interface WrittenReport {
  path: string;
  bytes: number;
  leftOut: LeftOut;
}

/** What the reporter prints when a run has ended. */
export function summaryLines(data: ReportData, report: WrittenReport | undefined): string[] {
  const tests = data.files.flatMap((file) => file.tests);
  const hunts = tests.flatMap(huntLines);
  const traces = [...hunts, ...tests.flatMap(traceLines)];
  const written = report ? reportLines(report) : [];
  const seen = data.machines.filter(({ coverage }) => coverage?.states.some(({ times }) => times > 0));
  if (seen.length === 0 && hunts.length > 0) return [...traces, ...written];
  if (seen.length === 0) {
    // A test may fail before the first step of its world.
    const what = data.worlds === 0 ? 'no test started a world' : 'no machine made a step';
    return [...traces, `Tapbench: ${what}${report ? `; ${report.path} lists the tests` : ''}`];
  }
  const covered = seen.map(({ shape, coverage }) => {
    const { states, transitions } = coverage!;
    return `${shape.machineId} ${percentOf(states)} % of states, ${percentOf(transitions)} % of transitions`;
  });
  return [...traces, ...written, `Tapbench saw: ${covered.join('; ')}`];
}

const reportLines = ({ path, bytes, leftOut }: WrittenReport) => [
  `Tapbench report: ${path} (${megabytes(bytes)})`,
  ...shortened(leftOut),
];

/** Returns what came of the hunts of a test: a hunt that finds nothing proves only what it tried. */
function huntLines({ name, hunts }: ReportTest): string[] {
  const where = name === '' ? 'outside tests' : `of '${name}'`;
  return hunts.flatMap(({ verdict, plans, seed, notJudged, warnings }) => [
    `Tapbench hunt ${where}: ${verdict ?? 'nothing found'} (${plansOf(plans)}, seed ${seed})`,
    ...(notJudged > 0 ? [`  not judged: ${plansOf(notJudged)}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]);
}

const plansOf = (count: number) => `${count} ${count === 1 ? 'plan' : 'plans'}`;

/** Returns the commands that open the traces of a failed test. */
function traceLines({ name, traces }: ReportTest): string[] {
  if (traces.length === 0) return [];
  return [
    `Tapbench trace of the failed test '${name}':`,
    ...traces.map(({ path }) => `  npx tapbench trace ${path} --open`),
  ];
}

function shortened({ limitBytes, withoutDetails, withoutTimeline }: LeftOut): string[] {
  if (withoutDetails + withoutTimeline === 0) return [];
  return [
    `Tapbench report: shortened to ${megabytes(limitBytes)}: ${withoutDetails} test files without details, ${withoutTimeline} without timelines`,
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
