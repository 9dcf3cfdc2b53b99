import { percentOf } from './coverage.ts';
import type { LeftOut, ReportData, ReportTest } from './report-data.ts';

export interface WrittenReport {
  path: string;
  bytes: number;
  leftOut: LeftOut;
}

/** What the reporter prints when a run has ended. */
export function summaryLines(data: ReportData, report: WrittenReport | undefined): string[] {
  const traces = data.files.flatMap(({ tests }) => tests).flatMap(traceLines);
  const seen = data.machines.filter(({ coverage }) => coverage?.states.some(({ times }) => times > 0));
  if (seen.length === 0) {
    // A test may fail before the first step of its world.
    const what = data.worlds === 0 ? 'no test started a world' : 'no machine made a step';
    return [...traces, `Tapbench: ${what}${report ? `; ${report.path} lists the tests` : ''}`];
  }
  const covered = seen.map(({ shape, coverage }) => {
    const { states, transitions } = coverage!;
    return `${shape.machineId} ${percentOf(states)} % of states, ${percentOf(transitions)} % of transitions`;
  });
  return [
    ...traces,
    ...(report
      ? [`Tapbench report: ${report.path} (${megabytes(report.bytes)})`, ...shortened(report.leftOut)]
      : []),
    `Tapbench saw: ${covered.join('; ')}`,
  ];
}

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
