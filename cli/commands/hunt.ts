import { Fault, messageOf } from '../../protocol/failures.ts';
import { command, EXIT, optional } from '../command-line/command.ts';
import { booleanOption, integerOption, stringOption } from '../command-line/option.ts';
import { junit } from '../command-line/junit-option.ts';
import { json } from '../command-line/output.ts';
import { sarif } from '../command-line/sarif-option.ts';
import { runHunt } from '../hunt/run-hunt.ts';
import { shopOptions } from '../hunt/shop-options.ts';

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
    ...shopOptions(', with --command'),
    calls: stringOption({
      flag: '--calls <file>',
      description:
        'JSON file of what is posted to the shop, in place of one order: a list of {"path", "body", "beside"}',
    }),
    seed: stringOption({
      flag: '--seed <text>',
      description: 'The same seed tries the same plans',
      defaultText: '1; where the variable CI is set, the date in UTC',
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
    all: booleanOption('--all', 'Go on after a find, and report one plan of each defect'),
    trace: stringOption({
      flag: '--trace <file>',
      description:
        'File of the trace of the plan that is found; with --all, -2 and so on is added to its name',
      defaultText: 'hunt-SEED.tapbench',
    }),
    hunts: stringOption({
      flag: '--hunts <file>',
      description: 'JSON file of plans that were found before: they are tried first, and a find is added',
      defaultText: 'hunts/NAME.json beside FILE; none with --command alone',
    }),
    keep: stringOption({
      flag: '--keep <file>',
      description: 'File to which the plan that is found is written as a test of Vitest, with FILE',
      defaultText: 'none is written',
    }),
    junit,
    sarif,
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
    [EXIT.interrupted]: 'it was interrupted before it had found anything',
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
