import { writeFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { command, EXIT, optional } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import {
  loadHuntEngine,
  type CommandOptions,
  type HuntFound,
  type HuntLimits,
  type HuntResult,
  loadHuntFile,
} from '../hunt/hunt-engine.ts';
import { integerOption, stringOption } from '../command-line/option.ts';
import { junit, withJunitReport } from '../command-line/junit-option.ts';
import { huntCases } from '../hunt/hunt-cases.ts';
import { lessonLines } from '../hunt/hunt-lesson.ts';
import { confirmedText, faultLines, notJudgedSentence, storyLines, triedLines } from '../hunt/hunt-text.ts';
import { json, printJson, sanitizeText } from '../command-line/output.ts';
import { startProgress } from '../command-line/progress.ts';

export const hunt = command({
  name: 'hunt',
  details:
    'Needs no server. FILE is a module whose default export is the options of hunt. With --command the shop is a process that is told its sandbox by its environment, and that faults can kill: the same seed tries the same plans, but runs in real time can differ. See docs/hunting.md.',
  parameters: {
    file: optional('module with the options of the hunt; with --command none of them is needed'),
  },
  options: {
    command: stringOption({
      flag: '--command <line>',
      description: 'Command line that starts the shop, in any language',
    }),
    sell: stringOption({
      flag: '--sell <path>',
      description: 'Path of the shop to which the order is posted, such as /orders',
      defaultText: 'the command sells when it starts',
    }),
    books: stringOption({
      flag: '--books <from>',
      description:
        'Path of the shop that returns its books, such as /books, or a command line that prints them',
    }),
    webhooks: stringOption({
      flag: '--webhooks <path>',
      description: 'Path of the shop that takes webhooks, such as /webhooks',
    }),
    speed: integerOption(
      { min: 1, max: 50 },
      {
        flag: '--speed <number>',
        description: 'How many times as fast as real time that of the sandbox passes, with --command',
        defaultValue: '20',
      },
    ),
    quiet: integerOption(
      { min: 1, max: 600 },
      {
        flag: '--quiet <seconds>',
        description: 'The shop is done when it has sent nothing for so long, with --command',
        defaultValue: '2',
      },
    ),
    jobs: integerOption(
      { min: 1, max: 32 },
      {
        flag: '--jobs <number>',
        description:
          'Plans to try at once, each with a process, a port and a store of its own, with --command',
        defaultValue: '1',
      },
    ),
    seed: stringOption({
      flag: '--seed <text>',
      description: 'The same seed tries the same plans',
      defaultText: '1',
    }),
    plans: integerOption(
      { min: 1, max: 1_000_000 },
      { flag: '--plans <number>', description: 'Plans to try at most', defaultText: '1000' },
    ),
    seconds: integerOption(
      { min: 1, max: 86_400 },
      { flag: '--seconds <number>', description: 'Time to spend at most', defaultText: '60' },
    ),
    maxFaults: integerOption(
      { min: 1, max: 10 },
      { flag: '--max-faults <number>', description: 'Faults of a plan at most', defaultText: '3' },
    ),
    trace: stringOption({
      flag: '--trace <file>',
      description: 'File of the trace of the plan that is found',
      defaultText: 'hunt-SEED.tapbench',
    }),
    junit,
    json,
  },
  examples: [
    { line: 'tapbench hunt shop.hunt.js', description: 'tries the scenario of a module' },
    {
      line: "tapbench hunt --command 'python3 shop.py' --sell /orders --books /books --webhooks /webhooks",
      description: 'tries a shop in another language',
    },
  ],
  isJudge: true,
  exitCodes: {
    [EXIT.ok]: 'nothing was found',
    [EXIT.failed]: 'a plan was found after which books and money disagree',
    [EXIT.notJudged]:
      'a bad option, the file or the command cannot be used, no fault struck anything, or a plan could not be judged',
  },
  async run({ context, args: { file }, options }) {
    try {
      return await runHunt(context, file, options);
    } catch (thrown) {
      if (context.interrupted.aborted || thrown instanceof Fault) throw thrown;
      // What the scenario or the command did.
      throw new Fault('bad_setting', messageOf(thrown), { cause: thrown });
    }
  },
});

interface TypedOptions extends Omit<CommandOptions, 'command' | 'env' | 'quietSeconds'> {
  command: string | undefined;
  quiet: number;
  seed: string | undefined;
  plans: number | undefined;
  seconds: number | undefined;
  maxFaults: number | undefined;
  trace: string | undefined;
  junit: string | undefined;
  json: boolean;
}

interface Hunted extends HuntResult {
  seed: string;
  /** The command line that repeats it. */
  again: string;
}

async function runHunt(
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
  const hunted = await withJunitReport(context, report, () => search(context, file, typed));
  const { found, seed, again, ...counts } = hunted;
  const trace = found && writeTrace(typed.trace ?? `hunt-${seed.replaceAll(/[^\w-]/g, '_')}.tapbench`, found);
  const { plans, notReached } = counts;
  if (typed.json) printJson(context.out, { seed, ...counts, found: found ? { ...found, trace } : null });
  else if (found) printFound(context, found, { seed, plans, trace: trace!, again });
  else context.out.write(`nothing found: ${plans} plans tried, seed ${seed}${notReachedText(notReached)}\n`);
  if (!typed.json)
    context.out.write(
      triedLines(counts)
        .map((line) => `${line}\n`)
        .join(''),
    );
  if (found) return EXIT.failed;
  return notJudgedSentence(counts) === undefined ? EXIT.ok : EXIT.notJudged;
}

function notReachedText(plans: number): string {
  return plans > 0 ? `; in ${plans} of them a fault was not reached` : '';
}

async function search(
  context: CommandContext,
  file: string | undefined,
  typed: TypedOptions,
): Promise<Hunted> {
  const { command: commandLine, sell, books, webhooks, speed, quiet: quietSeconds, jobs } = typed;
  if (file === undefined && commandLine === undefined)
    throw new Fault('bad_setting', 'hunt needs a file or --command: see tapbench hunt --help');
  const ofFile = file === undefined ? {} : await loadHuntFile(context, file);
  const engine = await loadHuntEngine(context);
  const progress = startProgress(context, 'trying the scenario without faults');
  const limits: HuntLimits = {
    seed: '1',
    plans: 1_000,
    seconds: 60,
    maxFaults: 3,
    ...ofFile,
    ...limitsTyped(typed),
    onTry(tried, isFound) {
      if (isFound) progress.show(`found a plan, making it smaller: ${tried} tried`);
      else if (tried > 0) progress.show(`trying plans of faults: ${tried} tried`);
    },
    signal: context.interrupted,
  };
  const shop = { sell, books, webhooks, speed, quietSeconds, jobs, env: context.env };
  const seed = String(limits.seed);
  try {
    const result =
      commandLine === undefined
        ? await engine.hunt(limits)
        : await engine.huntCommand({ ...limits, ...shop, command: commandLine });
    return { ...result, seed, again: repeatLine(file, typed, seed) };
  } finally {
    progress.end();
  }
}

function limitsTyped({ seed, plans, seconds, maxFaults }: TypedOptions): Partial<HuntLimits> {
  const typed = Object.entries({ seed, plans, seconds, maxFaults });
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
}

function writeTrace(file: string, { trace }: HuntFound): string {
  try {
    writeFileSync(file, trace);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
  return file;
}

interface FoundText {
  seed: string;
  plans: number;
  trace: string;
  /** The command line that repeats it. */
  again: string;
}

function printFound(
  { out }: CommandContext,
  found: HuntFound,
  { seed, plans, trace, again }: FoundText,
): void {
  const output = found.output?.trim() ?? '';
  const lines = [
    `found after ${plans} ${plans === 1 ? 'plan' : 'plans'}, seed ${seed}: ${found.verdict}`,
    ...faultLines(found.plan),
    ...storyLines(found),
    confirmedText(found.confirmed),
    ...lessonLines(found.plan),
    ...(output === '' ? [] : ['the shop printed:', ...output.split('\n').map((line) => `  ${line}`)]),
    `repeat it:  ${again}`,
    `look at it: tapbench trace --open ${trace}`,
  ];
  out.write(`${lines.map(sanitizeText).join('\n')}\n`);
}

function repeatLine(file: string | undefined, typed: TypedOptions, seed: string): string {
  const { command: line, sell, books, webhooks, speed, quiet, jobs, plans, seconds, maxFaults } = typed;
  const flags = {
    command: line,
    ...(line !== undefined && { sell, books, webhooks, speed, quiet, jobs }),
    seed,
    plans,
    seconds,
    'max-faults': maxFaults,
  };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(String(value))],
  );
  return ['tapbench hunt', ...(file === undefined ? [] : [quoted(file)]), ...words].join(' ');
}

/** Quotes a word for a shell where that is needed. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
