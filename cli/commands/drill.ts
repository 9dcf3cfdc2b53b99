import { Fault } from '../../protocol/failures.ts';
import { command, EXIT, optional, type ServerValues, oneOf } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { describeSandbox, readShopBooks, untilSold } from '../drills/await-integration.ts';
import type { Drill } from '../drills/drill.ts';
import { createDrillSandbox, type DrillSandbox } from '../drills/drill-sandbox.ts';
import { DRILLS } from '../drills/drills.ts';
import { playDrill } from '../drills/play-drill.ts';
import {
  printDrills,
  printIntegration,
  printLesson,
  printStep,
  printStory,
  printTask,
  printVerdict,
} from '../drills/print-drill.ts';
import { runDrill, type DrillResult } from '../drills/run-drill.ts';
import type { Step } from '../drills/stage.ts';
import { booleanOption, enumOption, integerOption, stringOption } from '../command-line/option.ts';
import { junit, withJunitReport } from '../command-line/junit-option.ts';
import { drillCases } from '../drills/drill-cases.ts';
import { printJson } from '../command-line/output.ts';
import { runCommand } from '../command-line/run-command.ts';
import { sandboxOption } from '../command-line/server-address.ts';
import { connectHost, HOST_OPTIONS } from './sandbox.ts';

type Integration = 'wrong' | 'right' | 'own';

const OPTIONS = {
  integration: enumOption(['wrong', 'right', 'both'], {
    flag: '--integration <kind>',
    description: 'Which built-in integration is played: wrong, right or both',
    defaultValue: 'both',
  }),
  wait: booleanOption('--wait', 'Wait for your own integration to sell, and judge it'),
  books: stringOption({
    flag: '--books <from>',
    description: 'File or URL with what the books of your own integration say, as JSON',
    defaultText: 'the books are not judged',
  }),
  quiet: integerOption(
    { min: 1, max: 600 },
    {
      flag: '--quiet <seconds>',
      description: 'Your own integration has sold when nothing has happened for so long, with --wait',
      defaultValue: '15',
    },
  ),
  timeout: integerOption(
    { min: 1, max: 86_400 },
    {
      flag: '--timeout <seconds>',
      description: 'Give up when nothing was struck after this long, with --wait',
      defaultValue: '600',
    },
  ),
  junit,
  // Not named `sandbox`: the drill is not played in that sandbox, but in a fork of it.
  forkOf: {
    ...sandboxOption,
    description: 'The sandbox to begin with a copy of',
    defaultText: 'a new sandbox',
  },
  ...HOST_OPTIONS,
};

interface IntegrationRun extends DrillResult {
  integration: Integration;
  sandbox: string;
}

type DrillOptions = ServerValues<typeof OPTIONS>;

export const drill = command({
  name: 'drill',
  details:
    'Without a name, lists the drills. With one, plays it in a sandbox of its own that is deleted after an hour: with a built-in integration, first the wrong one and then the right one, or with your own after --wait or --. See docs/drills.md.',
  parameters: { name: optional('Name of the drill, such as lost-reply') },
  rest: 'command that sells with your own integration; it gets TAPBENCH_URL, TAPBENCH_KEY, TAPBENCH_TERMINAL, TAPBENCH_ORDER, TAPBENCH_AMOUNT and TAPBENCH_CURRENCY',
  options: OPTIONS,
  examples: [
    { line: 'tapbench drill', description: 'lists the drills' },
    { line: 'tapbench drill lost-reply', description: 'shows how money is lost, and how not' },
    { line: 'tapbench drill lost-reply --wait', description: 'judges what your own integration does' },
    { line: 'tapbench drill lost-reply -- node sell.js', description: 'runs it, and judges at its end' },
  ],
  isJudge: true,
  exitCodes: {
    [EXIT.ok]: 'nothing was lost: by the right integration where both are played, else by the one that was',
    [EXIT.failed]: 'money was lost',
    [EXIT.notJudged]:
      'it could not be found out: a fault never struck, nothing was sold, the command failed, or the drill could not be played',
  },
  async run({ context, args: { name: typed }, rest, options }) {
    const { out } = context;
    if (typed === undefined) {
      if (options.junit !== undefined)
        throw new Fault('bad_setting', '--junit needs the name of the drill that is judged');
      if (options.json) printJson(out, Object.entries(DRILLS).map(listed));
      else printDrills(out);
      return EXIT.ok;
    }
    const report = {
      file: options.junit,
      suite: 'tapbench drill',
      className: `tapbench drill ${typed}`,
      whole: typed,
      casesOf: (judged: IntegrationRun) => drillCases(`${judged.integration} integration`, judged),
    };
    const judged = await withJunitReport(context, report, async () =>
      runIntegrations(context, oneOf('NAME', Object.keys(DRILLS), typed), rest, options),
    );
    return exitCodeOf(judged);
  },
});

function listed([name, { play: _play, ...rest }]: [string, Drill]): object {
  return { name, ...rest };
}

/** The last of the integrations that were played is the one that is judged. */
async function runIntegrations(
  context: CommandContext,
  name: string,
  rest: string[],
  options: DrillOptions,
): Promise<IntegrationRun> {
  const { out } = context;
  const plan = DRILLS[name]!;
  const isOwn = options.wait || rest.length > 0;
  if (options.books !== undefined && !isOwn)
    throw new Fault('bad_setting', '--books is for your own integration: add --wait, or a command after --');
  if (!options.json) printStory(out, name, plan);
  const runs: IntegrationRun[] = [];
  for (const integration of integrationsOf(isOwn, options)) {
    const sandbox = await createDrillSandbox(context, {
      host: connectHost(context, options),
      name,
      drill: plan,
      from: options.forkOf,
      keepsWebhooks: isOwn,
    });
    if (!options.json) printIntegration(out, headingOf(integration, plan));
    const parts = { ...sandbox, ...(!options.json && { onStep: (step: Step) => printStep(out, step) }) };
    const result =
      integration === 'own'
        ? await judgeOwn(context, { name, plan, sandbox, rest, options }, parts.onStep)
        : await playDrill(name, plan, { ...parts, isRight: integration === 'right' });
    if (!options.json) printVerdict(out, result, sandbox.name);
    runs.push({ integration, sandbox: sandbox.name, ...result });
  }
  const { title, story, right, page } = plan;
  if (options.json) printJson(out, { drill: name, title, story, runs, right, page: `docs/${page}` });
  else printLesson(out, name, plan);
  return runs.at(-1)!;
}

function exitCodeOf({ verdict, inconclusive }: DrillResult): number {
  if (verdict !== null) return EXIT.failed;
  return inconclusive === null ? EXIT.ok : EXIT.notJudged;
}

function integrationsOf(isOwn: boolean, { integration }: DrillOptions): Integration[] {
  if (isOwn) return ['own'];
  return integration === 'both' ? ['wrong', 'right'] : [integration];
}

function headingOf(integration: Integration, { wrong, right }: Drill): string {
  if (integration === 'own') return 'Your own integration';
  return integration === 'wrong' ? `The wrong integration ${wrong}.` : `The right integration ${right}.`;
}

interface Own {
  name: string;
  plan: Drill;
  sandbox: DrillSandbox;
  rest: string[];
  options: DrillOptions;
}

/** Lets the user's own integration sell: a command, or whatever uses the key that is printed. */
function judgeOwn(
  context: CommandContext,
  { name, plan, sandbox, rest, options }: Own,
  onStep: ((step: Step) => void) | undefined,
): Promise<DrillResult> {
  let steps = 0;
  const count = (step: Step) => {
    steps += 1;
    onStep?.(step);
  };
  return runDrill(name, plan, { ...sandbox, onStep: count }, async (running) => {
    const variables = describeSandbox(sandbox);
    let failure: string | undefined;
    if (rest.length > 0) {
      const code = await runCommand(rest, context, variables);
      await running.observe();
      running.tell('shop', `the command has ended with the exit code ${code}`);
      if (code !== EXIT.ok) failure = `the command failed: it ended with the exit code ${code}`;
    } else {
      // With --json standard output is one document.
      printTask(context.err, variables, plan);
      await untilSold(context, running, () => steps, {
        quietSeconds: options.quiet,
        timeoutSeconds: options.timeout,
      });
    }
    const { books } = options;
    return {
      readBooks: async () => (books === undefined ? undefined : readShopBooks(context, books)),
      ...(failure !== undefined && { failure }),
    };
  });
}
