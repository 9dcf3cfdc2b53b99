/** Options of the reporter: `reporters: ['default', ['tapbench/vitest', { file: 'out/report.html' }]]`. */
export interface ReporterOptions {
  /**
   * Path of the report from the project root; `tapbench-report.html` by default. An empty string writes no report.
   * TAPBENCH_REPORT overrides it.
   */
  file?: string;
  /** Path of a file for the results as JUnit XML, from the project root; none by default. TAPBENCH_JUNIT overrides it. */
  junit?: string;
  /**
   * Folder from the project root for the trace of each failed test that started a world; `tapbench-traces` by default. Traces
   * of earlier runs are deleted from it. An empty string keeps none.
   */
  traces?: string;
  /** Maximum size of the report; details are left out beyond it. 20 million bytes by default. */
  limitBytes?: number;
  /**
   * Shows the run on a live page, and pauses each world for this many milliseconds after each step of a machine.
   * TAPBENCH_PACE overrides it.
   */
  paceMs?: number;
  /** Port of the live page; a free one by default. TAPBENCH_STAGE_PORT overrides it. */
  port?: number;
  /** Whether to open the live page in a browser. TAPBENCH_OPEN (`on` or `off`) overrides it. */
  open?: boolean;
}

export interface ReadOptions {
  file: string;
  /** Empty for none. */
  junit: string;
  traces: string;
  limitBytes: number;
  /** Undefined without a live page. */
  paceMs: number | undefined;
  port: number;
  open: boolean;
}

const DEFAULT_FILE = 'tapbench-report.html';
const DEFAULT_TRACES = 'tapbench-traces';
const LIMIT_BYTES = 20_000_000;
const PACE_MS_MAX = 60_000;

/** Reads the options and environment variables. @throws Error naming a variable that is not a whole number. */
export function readOptions(
  options: ReporterOptions,
  env: Readonly<Record<string, string | undefined>>,
): ReadOptions {
  return {
    file: env['TAPBENCH_REPORT'] ?? options.file ?? DEFAULT_FILE,
    junit: env['TAPBENCH_JUNIT'] ?? options.junit ?? '',
    traces: options.traces ?? DEFAULT_TRACES,
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
