/** What a configuration may say: `reporters: ['default', ['tapbench/vitest', { file: 'out/report.html' }]]`. */
export interface ReporterOptions {
  /**
   * Where the report is written, from the root of the project; `tapbench-report.html` unless said. An empty text
   * writes none. TAPBENCH_REPORT in the environment comes first.
   */
  file?: string;
  /** The report is shortened until it has no more; 20 million bytes unless said. */
  limitBytes?: number;
  /**
   * Shows the run while it runs, on a page of its own, and holds each world still for so many milliseconds after
   * each step of a machine. TAPBENCH_PACE in the environment comes first.
   */
  paceMs?: number;
  /** Port of that page; a free one unless said. TAPBENCH_STAGE_PORT in the environment comes first. */
  port?: number;
  /** Opens that page in a browser; `on` or `off` as TAPBENCH_OPEN in the environment comes first. */
  open?: boolean;
}

export interface ReadOptions {
  file: string;
  limitBytes: number;
  /** Undefined when the run is not to be watched. */
  paceMs: number | undefined;
  port: number;
  open: boolean;
}

const DEFAULT_FILE = 'tapbench-report.html';
const LIMIT_BYTES = 20_000_000;
const PACE_MS_MAX = 60_000;

/** @throws Error for a setting that is no whole number, naming it. */
export function readOptions(
  options: ReporterOptions,
  env: Readonly<Record<string, string | undefined>>,
): ReadOptions {
  return {
    file: env['TAPBENCH_REPORT'] ?? options.file ?? DEFAULT_FILE,
    limitBytes: options.limitBytes ?? LIMIT_BYTES,
    paceMs: wholeNumber('TAPBENCH_PACE', env['TAPBENCH_PACE'], PACE_MS_MAX) ?? options.paceMs,
    port: wholeNumber('TAPBENCH_STAGE_PORT', env['TAPBENCH_STAGE_PORT'], 65_535) ?? options.port ?? 0,
    open: env['TAPBENCH_OPEN'] === undefined ? (options.open ?? false) : env['TAPBENCH_OPEN'] === 'on',
  };
}

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (number > max)
    throw new Error(`${name} must be a whole number up to ${max}, not '${text.slice(0, 40)}'`);
  return number;
}
