import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';
import { command, EXIT, type ServerValues } from '../command-line/command.ts';
import { integerOption, stringOption } from '../command-line/option.ts';
import { printJson } from '../command-line/output.ts';
import { createOwnSandbox, createTarget, uniqueText } from '../compare/open-targets.ts';
import { declaredApi } from '../compare/declared-api.ts';
import { knownTo, runScenario, type ScenarioRun } from '../compare/run-scenario.ts';
import type { Scenario } from '../compare/scenario.ts';
import { givenValues, selectScenarios } from '../compare/select-scenarios.ts';
import { printScenarioRun } from '../compare/try-scenarios.ts';
import { connectHost, HOST_OPTIONS } from './sandbox.ts';

const OPTIONS = {
  scenarios: stringOption({
    flag: '--scenarios <folder>',
    description: 'Folder with scenarios of your own, AREA/NAME.json',
    defaultText: 'those of Tapbench alone',
  }),
  only: stringOption({
    flag: '--only <scenarios>',
    description: 'Names of scenarios, separated by commas, such as money/payout-refused',
    defaultText: 'all scenarios',
  }),
  rate: integerOption(
    { min: 1, max: 50 },
    { flag: '--rate <number>', description: 'Requests a second to each server at most', defaultValue: '5' },
  ),
  ...HOST_OPTIONS,
};

type CompareOptions = ServerValues<typeof OPTIONS>;

export const compare = command({
  name: 'compare',
  details:
    'Without --to, runs the scenarios in a sandbox of this Tapbench alone and prints what each step got.',
  parameters: {},
  options: OPTIONS,
  examples: [
    {
      line: 'tapbench compare --only payments/capture',
      description: 'prints what each step of one scenario gets here',
    },
  ],
  isJudge: true,
  async run({ context, options }) {
    const scenarios = selectScenarios(options);
    const runs = await tryHere(context, scenarios, options);
    if (options.json) printJson(context.out, runs);
    else runs.forEach((run, index) => printScenarioRun(context, scenarios[index]!, run));
    return runs.some(({ stopped }) => stopped) ? EXIT.notJudged : EXIT.ok;
  },
});

async function tryHere(
  context: CommandContext,
  scenarios: readonly Scenario[],
  options: CompareOptions,
): Promise<ScenarioRun[]> {
  const host = connectHost(context, options);
  const lasting = uninterrupted(context);
  const given = givenValues();
  const { takesMetadata } = await loadDeclaredApi();
  const { name, secretKey, publicKey } = await createOwnSandbox(context, host);
  const address = { url: host.url, requestsPerSecond: options.rate, isOurs: true };
  const keys = { secret: secretKey, public: publicKey };
  const parts = {
    target: createTarget(context, address, keys),
    takesMetadata,
    askHand: () => Promise.resolve(false),
  };
  const end = { context: lasting, target: createTarget(lasting, address, keys) };
  try {
    const runs = new Map<string, ScenarioRun>();
    for (const scenario of scenarios) {
      const known = knownTo(scenario, given, runs);
      const unique = uniqueText(context);
      runs.set(scenario.name, await runScenario(context, scenario, { ...parts, known, unique }, end));
    }
    return [...runs.values()];
  } finally {
    await connectHost(lasting, options).call('DELETE /sandboxes/{name}', { params: { name } });
  }
}

async function loadDeclaredApi() {
  const [{ openApiDocument }, { ROUTES }] = await Promise.all([
    import('../../server/platform/http/openapi/openapi.ts'),
    import('../../server/routes.ts'),
  ]);
  return declaredApi(openApiDocument(ROUTES));
}
