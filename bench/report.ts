import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { alignColumns } from '../cli/command-line/output.ts';
import { VERSION } from '../protocol/version.ts';
import { type Spread, median, medianBefore, percentile, spreadOf, type Round } from './measure.ts';

export interface BenchOptions {
  /** Few rounds, for a first look. */
  quick: boolean;
  /** Where CPU profiles of our servers go, when they are wanted. */
  profileDir: string | undefined;
  /** How many payments `memory` takes, when given. */
  payments: number | undefined;
  /** How long `soak-engines` takes, when given. */
  minutes: number | undefined;
  /** Folder of another checkout, built, that is measured in turns with this one. */
  compare: string | undefined;
}

/** A row of the table: ours and the baseline of the same run. */
export interface Result {
  name: string;
  unit: '/s' | 'ms' | 'KB' | 'payments' | 'connections' | 'rollbacks' | 'files' | 'handles';
  ours: number;
  bare: number;
  /** Ours of another checkout in the same run, if it was measured; NaN where that checkout does not say it. */
  before?: number | undefined;
  /** Ours divided by the baseline, over all rounds. */
  ratio: Spread;
  aim: string | null;
  met: boolean | null;
  /** Explanations, one line each. */
  details: string[];
}

interface Run {
  quick: boolean;
  /** Load average of the minute before the run. */
  loadBefore: number;
  /** How long the run took. */
  minutes: number;
  /** Commit of the other checkout, when one is compared. */
  compared?: string | undefined;
}

export interface Report {
  version: string;
  takenAt: string;
  machine: { node: string; platform: string; cores: number; cpu: string };
  run: Run;
  results: Result[];
}

export function reportOf(results: Result[], run: Run): Report {
  const processors = cpus();
  return {
    version: VERSION,
    takenAt: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      cores: processors.length,
      cpu: processors[0]?.model ?? 'unknown',
    },
    run,
    results,
  };
}

/** Formats the table for people. */
export function tableOf(report: Report): string {
  const { machine, run, results } = report;
  const rows = [HEADINGS, ...results.map(cellsOf)].map((cells) => withoutBefore(cells, run));
  const details = results.flatMap((result) => [
    `${result.name}:`,
    ...result.details.map((line) => `  ${line}`),
  ]);
  return [
    headOf(report),
    '',
    ...alignColumns(rows),
    '',
    ...details,
    ...warningsOf(machine.cores, run),
    '',
  ].join('\n');
}

export const HEADINGS = ['', 'before', 'ours', 'bare', 'ratio', 'aim', 'met'];
const BEFORE = 1;

/** Returns the cells of a row, in the order of HEADINGS. */
export function cellsOf({ name, unit, before, ours, bare, ratio, aim, met }: Result): string[] {
  return [
    name,
    before === undefined || Number.isNaN(before) ? '—' : figure(before, unit),
    figure(ours, unit),
    figure(bare, unit),
    `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
    aim ?? 'none',
    met === null ? '' : met ? 'yes' : 'NO',
  ];
}

/** Removes the cell of the other checkout when none was compared. */
export function withoutBefore(cells: string[], { compared }: Run): string[] {
  return compared === undefined ? cells.filter((_, index) => index !== BEFORE) : cells;
}

/** Returns the version and the machine in one line. */
export function headOf({ version, machine }: Report): string {
  return `Tapbench ${version}, Node ${machine.node}, ${machine.platform}, ${machine.cores} cores (${machine.cpu})`;
}

/** Returns what makes the figures of a run less exact. */
export function warningsOf(cores: number, { quick, loadBefore }: Run): string[] {
  const busy = `The machine was busy before this run (load ${loadBefore.toFixed(1)}): milliseconds are higher than at rest.`;
  return [
    ...(quick ? ['', 'Quick run: few rounds, so the figures vary.'] : []),
    ...(loadBefore > cores ? ['', busy] : []),
  ];
}

/** Formats a value with its unit. */
function figure(value: number, unit: Result['unit']): string {
  if (unit === '/s') return `${Math.round(value).toLocaleString('en-GB')}/s`;
  if (unit === 'ms') return `${value.toFixed(2)} ms`;
  return unit === 'KB' ? `${value.toFixed(1)} KB` : value.toLocaleString('en-GB');
}

export function writeReport(path: string, report: Report): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}

interface TimesRow {
  name: string;
  /** The aim for the median of ours, milliseconds. */
  aimMs: number;
  /** Of each round, milliseconds. */
  taken: Round<number[], number[]>[];
  /** A high percentile to show, from 0 to 1. */
  tail: number;
  details: string[];
}

/** Returns the row of a benchmark that takes the time of one thing at a time, in rounds. */
export function timesResult({ name, aimMs, taken, tail, details }: TimesRow): Result {
  const [ours, bare] = [taken.flatMap((round) => round.ours), taken.flatMap((round) => round.bare)];
  const tailOf = (times: number[]) => `${percentile(times, tail).toFixed(2)} ms`;
  return {
    name,
    unit: 'ms',
    ours: median(ours),
    bare: median(bare),
    before: medianBefore(taken, median),
    ratio: spreadOf(taken.map((round) => median(round.ours) / median(round.bare))),
    aim: `under ${aimMs} ms`,
    met: median(ours) < aimMs,
    details: [
      `${taken.length} rounds of ${taken[0]!.ours.length}, one at a time; p${tail * 100} ${tailOf(ours)}, bare ${tailOf(bare)}`,
      ...details,
    ],
  };
}
