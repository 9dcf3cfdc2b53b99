import { existsSync } from 'node:fs';
import { Fault } from '../../protocol/failures.ts';
import { EXIT } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { withJunitReport } from '../command-line/junit-option.ts';
import { printJson } from '../command-line/output.ts';
import { shellWord } from '../../protocol/system/shell-word.ts';
import { startProgress } from '../command-line/progress.ts';
import { huntCases } from './hunt-cases.ts';
import {
  findsOf,
  loadHuntEngine,
  type CommandOptions,
  type HuntLimits,
  type HuntResult,
  loadHuntFile,
  processLines,
  readCalls,
  storeToCopy,
} from './hunt-engine.ts';
import { withHuntSarif } from './hunt-sarif.ts';
import { huntsBeside, keptTests, traceFile, writeFind } from './kept-find.ts';
import { foundLines, nothingFoundText, notJudgedSentence, triedLines } from './hunt-text.ts';

interface TypedOptions extends Omit<
  CommandOptions,
  'command' | 'processes' | 'env' | 'quietSeconds' | 'calls'
> {
  command: string | undefined;
  /** Each as `NAME=LINE`. */
  process: readonly string[];
  /** A file. */
  calls: string | undefined;
  quiet: number;
  seed: string | undefined;
  plans: number | undefined;
  seconds: number | undefined;
  maxFaults: number | undefined;
  all: boolean;
  trace: string | undefined;
  hunts: string | undefined;
  keep: string | undefined;
  junit: string | undefined;
  sarif: string | undefined;
  json: boolean;
}

interface Hunted extends HuntResult {
  seed: string;
  /** The command line that repeats it. */
  again: string;
}

/** Runs `tapbench hunt`. Returns its exit code. */
export async function runHunt(
  context: CommandContext,
  file: string | undefined,
  typed: TypedOptions,
): Promise<number> {
  const report = {
    file: typed.junit,
    suite: 'tapbench hunt',
    className: file ?? typed.command ?? 'hunt',
    whole: 'hunt',
    casesOf: ({ seed, again, ...result }: Hunted) => huntCases(result, seed, again),
  };
  const program = [file, ...(typed.command?.split(' ') ?? [])];
  const hunted = await withJunitReport(context, report, () =>
    withHuntSarif({ file: typed.sarif, program }, () => search(context, file, typed)),
  );
  const { found: first, others, seed, again, ...counts } = hunted;
  const finds = findsOf(hunted).map((found, index) => ({
    ...found,
    trace: writeFind(traceFile(typed.trace, seed, index + 1), found.trace),
  }));
  if (first && typed.keep !== undefined) writeFind(typed.keep, keptTests(finds, file!, typed.keep));
  if (typed.json) {
    const [found = null, ...more] = finds;
    printJson(context.out, { seed, ...counts, found, ...(others && { others: more }) });
  } else {
    const lines = foundLines(finds, { seed, plans: counts.plans, again });
    const kept = finds.length > 0 && typed.keep !== undefined ? [`test:       ${typed.keep}`] : [];
    const text = finds.length > 0 ? [...lines, ...kept] : [nothingFoundText(counts, seed)];
    context.out.write([...text, ...triedLines(counts)].map((line) => `${line}\n`).join(''));
  }
  if (first) return EXIT.failed;
  if (counts.endedBy === 'stop') return EXIT.interrupted;
  return notJudgedSentence(counts) === undefined ? EXIT.ok : EXIT.notJudged;
}

async function search(
  context: CommandContext,
  file: string | undefined,
  typed: TypedOptions,
): Promise<Hunted> {
  const { command: commandLine, sell, terminals, books, webhooks, speed, quiet: quietSeconds, jobs } = typed;
  if (file === undefined && commandLine === undefined)
    throw new Fault('bad_setting', 'hunt needs a file or --command: see tapbench hunt --help');
  if (typed.keep !== undefined && file === undefined)
    throw new Fault('bad_setting', '--keep writes a test that imports FILE: give one');
  if (commandLine === undefined) assertOfModule(typed);
  const calls = readCalls(typed.calls, sell);
  const processes = processLines(typed.process);
  const store = storeToCopy(typed.store);
  const ofFile = file === undefined ? {} : await loadHuntFile(context, file);
  const engine = await loadHuntEngine(context);
  const progress = startProgress(context, 'trying the scenario without faults');
  const limits: HuntLimits = {
    seed: context.env['CI'] ? new Date(context.clock.nowMs()).toISOString().slice(0, 10) : '1',
    ...(file !== undefined && { hunts: huntsBeside(file) }),
    plans: 1_000,
    seconds: 60,
    maxFaults: 3,
    all: false,
    ...ofFile,
    ...limitsTyped(typed),
    ...(typed.all && { all: true }),
    onTry(tried, isFound) {
      if (isFound) progress.show(`found a plan, making it smaller: ${tried} tried`);
      else if (tried > 0) progress.show(`trying plans of faults: ${tried} tried`);
    },
    stop: context.interrupted,
  };
  const ofShop = { processes, sell, calls, store, terminals, books, webhooks };
  const shop = { ...ofShop, speed, quietSeconds, jobs, env: context.env };
  const seed = String(limits.seed);
  const isMissing = typed.hunts !== undefined && !existsSync(typed.hunts);
  try {
    const result =
      commandLine === undefined
        ? await engine.hunt(limits)
        : await engine.huntCommand({ ...limits, ...shop, command: commandLine });
    if (isMissing)
      result.warnings.push(`there was no file ${typed.hunts}: no plan that was found before was tried`);
    return { ...result, seed, again: repeatLine(file, typed, seed) };
  } finally {
    progress.end();
  }
}

/** @throws Fault `bad_setting` for an option that only a command has */
function assertOfModule({ process: [process], sell, calls, store, books, webhooks }: TypedOptions): void {
  for (const [name, value] of Object.entries({ process, sell, calls, store, books, webhooks }))
    if (value !== undefined) throw new Fault('bad_setting', `--${name} needs --command`);
}

function limitsTyped({ seed, plans, seconds, maxFaults, hunts }: TypedOptions): Partial<HuntLimits> {
  const typed = Object.entries({ seed, plans, seconds, maxFaults, hunts });
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
}

function repeatLine(file: string | undefined, typed: TypedOptions, seed: string): string {
  const { command: line, sell, calls, store, terminals, books, webhooks, speed, quiet, jobs } = typed;
  const { plans, seconds, maxFaults } = typed;
  const several = terminals > 1 && { terminals };
  const flags = {
    command: line,
    ...(line !== undefined && { sell, calls, store, ...several, books, webhooks, speed, quiet, jobs }),
    seed,
    plans,
    seconds,
    'max-faults': maxFaults,
    hunts: typed.hunts,
  };
  const beside = typed.process.map((text) => `--process ${shellWord(text)}`);
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(String(value))],
  );
  const all = typed.all ? ['--all'] : [];
  return [
    'tapbench hunt',
    ...(file === undefined ? [] : [shellWord(file)]),
    ...words,
    ...beside,
    ...all,
  ].join(' ');
}
