import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SerializedError, UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { junitSuites } from './junit-report.ts';
import { writeJunitFile } from './junit-xml.ts';
import { after, SystemClock, type Timer } from '../../protocol/clock.ts';
import { openBrowser } from '../../protocol/system/open-browser.ts';
import { removeFolderSync } from '../../protocol/system/remove-folder.ts';
import { VERSION } from '../../protocol/version.ts';
import { layOut } from '../../server/dashboard/chart/layout.ts';
import { readPageParts } from '../../server/dashboard/offline-page.ts';
import { RUN_LOG_CONFIG, type RunLogConfig } from '../run-log/run-log-format.ts';
import { createConsoleTexts, showErrors, showHunt, showTest, testOfFile } from './shown-tests.ts';
import { coverageOf } from './coverage.ts';
import { readOptions, type ReadOptions, type ReporterOptions } from './options.ts';
import type {
  ReportData,
  ReportFile,
  ReportMachine,
  ReportTest,
  ReportTrace,
  WorldTimeline,
} from './report-data.ts';
import { renderReport, renderLivePage, type Packet } from './report-file.ts';
import { createRunRecord, packTimelines, createRunLogReader } from './run-record.ts';
import { openLivePage, type LivePage } from './live-page.ts';
import { summaryLines, type WrittenReport } from './summary.ts';
import { deleteTraces, withTraces } from './kept-traces.ts';

type FileName = Pick<ReportFile, 'path' | 'project'>;

const PAGE_FOLDER = 'testing/reporter/page';
const TAIL_MS = 50;
// How long the run waits for a browser to open the live page.
const FIRST_VIEW_MS = 20_000;

/**
 * Vitest reporter `tapbench/vitest`. Writes a report with the state charts and the timeline of each test, and the
 * states and transitions that no test covered. With `paceMs` it also shows the run live. Use it beside `default`.
 */
export default class TapbenchReporter implements Reporter {
  readonly #options: ReadOptions;
  readonly #clock = new SystemClock();
  readonly #folder = mkdtempSync(join(tmpdir(), 'tapbench-run-'));
  readonly #record = createRunRecord();
  readonly #reader = createRunLogReader(this.#folder);
  readonly #console = createConsoleTexts();
  readonly #files = new Map<string, { file: ReportFile; packed: Buffer | undefined }>();
  readonly #machines = new Map<string, Promise<ReportMachine>>();
  #vitest: Vitest | undefined;
  #livePage: LivePage | undefined;
  #tail: Timer | undefined;
  #startMs = 0;

  constructor(options: ReporterOptions = {}) {
    this.#options = readOptions(options, process.env);
    process.once('exit', () => removeFolderSync(this.#folder));
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const { paceMs } = this.#options;
    const traces = this.#tracesFolder();
    deleteTraces(traces);
    const order: RunLogConfig = { folder: this.#folder, traces, paceMs: paceMs ?? 0 };
    vitest.provide(RUN_LOG_CONFIG as never, order as never);
    if (paceMs === undefined) return;
    // No timeouts while the run is slowed down.
    for (const { config } of vitest.projects) Object.assign(config, { testTimeout: 0, hookTimeout: 0 });
  }

  async onTestRunStart(): Promise<void> {
    this.#startMs = this.#clock.nowMs();
    if (this.#options.paceMs === undefined || this.#livePage) return;
    this.#livePage = await openLivePage(
      renderLivePage(readPageParts(PAGE_FOLDER), 'Tapbench: live test run'),
      this.#options.port,
    );
    this.#print(`Tapbench live test run: ${this.#livePage.url}`);
    const { env } = process;
    if (this.#options.open) void openBrowser(this.#livePage.url, { env, clock: this.#clock });
    const waited = new Promise<void>((done) => after(this.#clock, FIRST_VIEW_MS, done));
    await Promise.race([this.#livePage.watched, waited]);
    this.#follow();
  }

  onUserConsoleLog(log: UserConsoleLog): void {
    this.#console.add(log);
  }

  onTestCaseReady(test: TestCase): void {
    this.#sendTest(test);
  }

  onTestCaseResult(test: TestCase): void {
    this.#sendTest(test);
  }

  async onTestModuleEnd(module: TestModule): Promise<void> {
    this.#drain();
    const tests = [...module.children.allTests()].map((test) => showTest(test, this.#root()));
    const ids = new Set([...tests.map(({ id }) => id), `file:${module.moduleId}`]);
    const timelines = this.#record
      .release((id) => ids.has(id))
      .filter(({ entries, trace }) => entries.length > 0 || trace !== undefined);
    for (const { testId, entries } of timelines) {
      if (testId.startsWith('file:')) testOutside(tests, module.moduleId);
      tests.find(({ id }) => id === testId)!.steps += entries.filter(({ step }) => step).length;
    }
    // Of a hook, or of tests that run concurrently.
    const outside = this.#record.releaseHunts(`file:${module.moduleId}`).map(showHunt);
    if (outside.length > 0) testOutside(tests, module.moduleId).hunts = outside;
    const errors = showErrors(module.errors(), this.#root());
    const file: ReportFile = { ...this.#nameOf(module), errors, tests, packet: null };
    const shown = await withTraces(timelines, this.#tracesFolder(), {
      path: module.moduleId,
      name: file.path,
    });
    for (const { id } of [module, ...module.children.allSuites()]) this.#console.release(id);
    for (const test of tests) {
      test.hunts.push(...this.#record.releaseHunts(test.id).map(showHunt));
      const written = this.#console.release(test.id);
      if (test.state !== 'failed') continue;
      test.console = written;
      test.traces = shown.filter(({ testId }) => testId === test.id).flatMap((one) => this.#traceOf(one));
    }
    const packed = timelines.length > 0 ? packTimelines(shown) : undefined;
    this.#files.set(keyOf(module), { file, packed });
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    this.#tail?.cancel();
    this.#drain();
    const data = await this.#dataOf(reason);
    // First, so that no file of an earlier run is left where the report cannot be written.
    this.#writeJunit(data, modules, errors);
    const report = this.#write(data);
    for (const line of summaryLines(data, report)) this.#print(line);
    this.#livePage?.send({ type: 'end', outcome: reason, report: report?.path ?? null });
    if (this.#vitest?.config.watch) return this.#follow();
    await this.#livePage?.close();
  }

  async #dataOf(outcome: TestRunEndReason): Promise<ReportData> {
    const machines = await Promise.all(
      this.#record.shapes().map(async (shape) => {
        const machine = await this.#machineOf(shape);
        const steps = this.#record.steps(shape.machineId);
        return { ...machine, coverage: coverageOf(machine.layout, steps) };
      }),
    );
    return {
      version: VERSION,
      madeAtMs: this.#clock.nowMs(),
      worlds: this.#record.worlds(),
      outcome,
      durationMs: this.#clock.nowMs() - this.#startMs,
      machines,
      files: this.#sortedFiles().map(({ file }) => file),
      leftOut: { limitBytes: this.#options.limitBytes, withoutDetails: 0, withoutTimeline: 0 },
    };
  }

  /** Sorts the test files, which end in any order. */
  #sortedFiles() {
    return [...this.#files.values()].sort(
      ({ file: one }, { file: other }) =>
        one.project.localeCompare(other.project) || one.path.localeCompare(other.path),
    );
  }

  #machineOf(shape: ReportMachine['shape']): Promise<ReportMachine> {
    const known = this.#machines.get(shape.machineId);
    if (known) return known;
    const laidOut = layOut(shape).then((layout) => ({ shape, layout, coverage: null }));
    this.#machines.set(shape.machineId, laidOut);
    return laidOut;
  }

  #write(data: ReportData): WrittenReport | undefined {
    if (this.#options.file === '') return undefined;
    const root = this.#root();
    const path = resolve(root, this.#options.file);
    const packets = this.#sortedFiles().flatMap(({ file, packed }, index): Packet[] =>
      packed ? [{ file: index, packed, hasFailures: hasFailed(file) }] : [],
    );
    const { html, leftOut } = renderReport(readPageParts(PAGE_FOLDER), data, packets, 'Tapbench test report');
    writeFileSync(path, html);
    return { path: relative(root, path) || path, bytes: Buffer.byteLength(html), leftOut };
  }

  #writeJunit(data: ReportData, modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const { junit } = this.#options;
    if (junit === '') return;
    const notRun = modules.filter((module) => !this.#files.has(keyOf(module)));
    const suites = junitSuites(
      data,
      notRun.map((module) => this.#nameOf(module).path),
      showErrors(errors, this.#root()),
    );
    writeJunitFile(resolve(this.#root(), junit), suites, this.#startMs);
  }

  /** Returns the root of the project. */
  #root(): string {
    return this.#vitest?.config.root ?? process.cwd();
  }

  #tracesFolder(): string {
    const { traces } = this.#options;
    return traces === '' ? '' : resolve(this.#root(), traces);
  }

  #traceOf({ trace, traceProblem }: WorldTimeline): ReportTrace[] {
    if (trace === undefined) return [];
    const reportFolder = dirname(resolve(this.#root(), this.#options.file));
    const fromReport = relative(reportFolder, join(this.#tracesFolder(), trace));
    return [
      {
        path: join(this.#options.traces, trace),
        href: fromReport.split(sep).map(encodeURIComponent).join('/'),
        problem: traceProblem ?? null,
      },
    ];
  }

  /** Reads new lines of the recordings and sends them to the live page. */
  #drain(): void {
    const lines = this.#reader.read();
    this.#record.add(lines);
    if (!this.#livePage) return;
    for (const { line, world } of lines) {
      if (line.kind === 'trace' || line.kind === 'hunt') continue;
      if (line.kind === 'shape') {
        const { machineId } = line.shape;
        if (this.#machines.has(machineId)) continue;
        void this.#machineOf(line.shape).then((machine) =>
          this.#livePage?.send({ type: 'machine', machine }),
        );
        continue;
      }
      if (line.test)
        this.#livePage.send({ type: 'world', world, testId: line.test.id, attempt: line.test.attempt });
      if (line.kind === 'entry') this.#livePage.send({ type: 'entry', world, entry: line.entry });
    }
  }

  #follow(): void {
    if (!this.#livePage) return;
    this.#drain();
    this.#tail = after(this.#clock, TAIL_MS, () => this.#follow());
  }

  #sendTest(test: TestCase): void {
    if (!this.#livePage) return;
    this.#drain();
    this.#livePage.send({
      type: 'test',
      file: this.#nameOf(test.module),
      test: showTest(test, this.#root()),
    });
  }

  #nameOf({ relativeModuleId, project }: TestModule): FileName {
    return { path: relativeModuleId, project: project.name };
  }

  #print(line: string): void {
    this.#vitest?.logger.log(line);
  }
}

/** Returns the entry of what happens outside of tests, which it adds when there is none. */
function testOutside(tests: ReportTest[], moduleId: string): ReportTest {
  const id = `file:${moduleId}`;
  const known = tests.find((test) => test.id === id);
  if (known) return known;
  tests.unshift(testOfFile(id));
  return tests[0]!;
}

function keyOf({ project, moduleId }: TestModule): string {
  return `${project.name} ${moduleId}`;
}

function hasFailed({ errors, tests }: ReportFile): boolean {
  return errors.length > 0 || tests.some(({ state }) => state === 'failed');
}
