import { Fault } from '../../protocol/failures.ts';
import { command, EXIT, type ServerValues } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { junit, withJunitReport } from '../command-line/junit-option.ts';
import { booleanOption, integerOption, stringOption, urlOption } from '../command-line/option.ts';
import { printJson, printLine } from '../command-line/output.ts';
import { keepVerdicts } from '../compare/choice-verdicts.ts';
import { pageIn, readComparison } from '../compare/comparison-folder.ts';
import { countsText } from '../compare/comparison-page.ts';
import { comparisonCases } from '../compare/comparison-cases.ts';
import { compareServers } from '../compare/compare-servers.ts';
import { differenceText } from '../compare/difference-text.ts';
import { PLACES } from '../compare/judge/difference.ts';
import { hasDifference, isIncomplete, judgeComparison, type JudgedComparison } from '../compare/result.ts';
import { selectScenarios } from '../compare/select-scenarios.ts';
import { tryScenarios } from '../compare/try-scenarios.ts';
import { connectHost, HOST_OPTIONS } from './sandbox.ts';

/** Keys of the other server. They are never arguments: those can be seen by others on the machine. */
export const COMPARE_KEYS = {
  compareKey: stringOption({
    env: 'COMPARE_KEY',
    description: 'The secret key of your sandbox at the other server, sk_sandbox_...',
    secret: true,
  }),
  comparePublicKey: stringOption({
    env: 'COMPARE_PUBLIC_KEY',
    description: 'The public key of that sandbox, for scenarios that need it',
    secret: true,
  }),
};

const OPTIONS = {
  to: urlOption(['https', 'http'], {
    flag: '--to <url>',
    description: 'Address of the other server; its sandbox key is in COMPARE_KEY',
    defaultText: 'the scenarios run here alone',
  }),
  ...COMPARE_KEYS,
  scenarios: stringOption({
    flag: '--scenarios <folder>',
    description: 'Folder with scenarios of your own, AREA/NAME.json',
    defaultText: 'those of Tapbench alone',
  }),
  only: stringOption({
    flag: '--only <scenarios>',
    description: 'Scenarios, separated by commas: an area such as money, or a name such as payments/capture',
    defaultText: 'all scenarios',
  }),
  rate: integerOption(
    { min: 1, max: 50 },
    { flag: '--rate <number>', description: 'Requests a second to each server at most', defaultValue: '5' },
  ),
  patience: integerOption(
    { min: 1, max: 120 },
    { flag: '--patience <seconds>', description: 'How long a reply may take', defaultValue: '30' },
  ),
  yes: booleanOption('--yes', 'Do not ask before anything is sent to the other server'),
  hands: booleanOption('--hands', 'Ask at this terminal for what only a person can do, such as tap a card'),
  receiver: urlOption(['https', 'http'], {
    flag: '--receiver <url>',
    description:
      'Address that the other server can reach and that leads to --receiver-port of this machine, such as that of a tunnel, for deliveries of webhooks',
    defaultText: 'deliveries are not shown',
  }),
  receiverPort: integerOption(
    { min: 0, max: 65_535 },
    {
      flag: '--receiver-port <number>',
      description: 'Port of this machine at which deliveries arrive',
      defaultValue: '4242',
    },
  ),
  out: stringOption({
    flag: '--out <folder>',
    description: 'Folder of the result, as JSON and as a page',
    defaultValue: 'comparison',
  }),
  resume: booleanOption('--resume', 'Go on with the result in the folder, where a run was broken off'),
  import: stringOption({
    flag: '--import <file>',
    description: 'Print what the JSON of a result says about the choices of Tapbench, and run nothing',
    defaultText: 'the scenarios run',
  }),
  verdicts: stringOption({
    flag: '--verdicts <file>',
    description: 'File to which --import adds its verdicts, such as compare/verdicts.json of a checkout',
    defaultText: 'they are only printed',
  }),
  junit,
  ...HOST_OPTIONS,
};

type CompareOptions = ServerValues<typeof OPTIONS>;

export const compare = command({
  name: 'compare',
  details:
    'Runs scenarios at this Tapbench, in a sandbox of its own, and at another server of the API, and says where that one differs. Without --to, runs them here alone and prints what each step got. See docs/compare.md.',
  parameters: {},
  options: OPTIONS,
  examples: [
    {
      line: 'COMPARE_KEY=sk_... tapbench compare --to http://10.0.0.5:8080 --only payments/capture --yes',
      description: 'compares by one scenario, and writes comparison/comparison.html',
    },
    {
      line: 'tapbench compare --only payments/capture',
      description: 'prints what each step of one scenario gets here',
    },
    {
      line: 'tapbench compare --import comparison.json',
      description: 'prints which choices a result confirms or refutes',
    },
  ],
  isJudge: true,
  exitCodes: {
    [EXIT.ok]: 'nothing differs but choices and extensions',
    [EXIT.failed]: 'something else differs',
    [EXIT.notJudged]:
      'nothing differs, and a scenario that was tried was not shown or not run, one that --only names or all of an area in it were not tried, or nothing was tried',
  },
  async run({ context, options }) {
    if (options.import !== undefined) return printChoices(context, options.import, options);
    const scenarios = selectScenarios(options);
    const hostOf = (using: CommandContext) => connectHost(using, options);
    if (options.to === undefined) return tryScenarios(context, scenarios, { hostOf, options });
    const report = {
      file: options.junit,
      suite: 'tapbench compare',
      className: 'tapbench compare',
      whole: 'comparison',
      casesOf: comparisonCases,
    };
    const to = options.to;
    const judged = await withJunitReport(context, report, () =>
      compareServers(context, scenarios, { hostOf, options: { ...options, to } }),
    );
    printResult(context, judged, options);
    if (hasDifference(judged)) return EXIT.failed;
    return isIncomplete(judged) ? EXIT.notJudged : EXIT.ok;
  },
});

function printResult({ out }: CommandContext, judged: JudgedComparison, options: CompareOptions): void {
  if (options.json) return printJson(out, judged);
  for (const one of judged.differences) {
    const { what, difference } = differenceText(one);
    printLine(out, `${PLACES[one.place]}: ${what}`);
    printLine(out, `  ${difference}; in ${one.scenarios.length} scenarios, such as ${one.scenarios[0]}`);
    if (one.concerns.length > 0) printLine(out, `  ${one.concerns.join(', ')}`);
  }
  printLine(out, `${countsText(judged)}; ${pageIn(options.out)}`);
}

function printChoices(
  { out }: CommandContext,
  file: string,
  { json, verdicts }: { json: boolean; verdicts: string | undefined },
): number {
  const judged = judgeComparison(readComparison(file, '--import'));
  if (judged.results.length === 0) throw new Fault('bad_setting', `--import: ${file} has no results`);
  if (verdicts !== undefined) keepVerdicts(verdicts, judged);
  if (json) printJson(out, judged.choices);
  else for (const { choice, verdict } of judged.choices) printLine(out, `${verdict.padEnd(9)}  ${choice}`);
  return EXIT.ok;
}
