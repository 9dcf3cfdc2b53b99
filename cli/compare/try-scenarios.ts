import { EXIT } from '../command-line/command.ts';
import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';
import { printJson, printLine } from '../command-line/output.ts';
import type { ServerApi } from '../client/api-client.ts';
import { loadDeclaredApi, openSandboxSide, uniqueText, type HereOptions } from './open-sides.ts';
import { knownTo, runScenario, type ScenarioRun } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { givenValues } from './select-scenarios.ts';

/** Runs scenarios here alone and prints what each step got, for those who write them. Returns the exit code. */
export async function tryScenarios(
  context: CommandContext,
  scenarios: readonly Scenario[],
  {
    hostOf,
    options,
  }: { hostOf(context: CommandContext): ServerApi; options: HereOptions & { json: boolean } },
): Promise<number> {
  const lasting = uninterrupted(context);
  const given = givenValues();
  const { takesMetadata } = await loadDeclaredApi();
  const { side, close } = await openSandboxSide(context, lasting, {
    hostOf,
    scenarios,
    options,
    receives: undefined,
  });
  const runs = new Map<string, ScenarioRun>();
  try {
    for (const scenario of scenarios) {
      const parts = {
        ...side,
        takesMetadata,
        known: knownTo(scenario, given, runs),
        unique: uniqueText(context),
      };
      const end = { context: lasting, target: side.lasting };
      runs.set(scenario.name, await runScenario(context, scenario, parts, end));
      context.interrupted.throwIfAborted();
    }
  } finally {
    await close();
  }
  if (options.json)
    printJson(
      context.out,
      [...runs].map(([name, run]) => ({ name, ...jsonOf(run) })),
    );
  else for (const scenario of scenarios) printRun(context, scenario, runs.get(scenario.name)!);
  return [...runs.values()].some(({ stopped }) => stopped) ? EXIT.notJudged : EXIT.ok;
}

function jsonOf({ observations, stopped }: ScenarioRun) {
  return {
    steps: observations.map(({ step, reply, came }) => ({
      step,
      came,
      status: reply.status,
      body: reply.body,
    })),
    stopped: stopped ?? null,
  };
}

function printRun(
  { out }: Pick<CommandContext, 'out'>,
  { name, title, steps }: Scenario,
  { observations, stopped }: ScenarioRun,
): void {
  printLine(out, `${name}: ${title}`);
  for (const { step, reply, came } of observations) {
    const done = steps[step]!;
    const what =
      'call' in done
        ? done.call
        : 'until' in done
          ? done.until
          : 'event' in done
            ? done.event
            : 'delivery' in done
              ? done.delivery
              : done.hand;
    printLine(out, `  ${step}  ${what}  ${reply.status}${came ? '' : ', did not come'}`);
    printLine(out, `     ${JSON.stringify(reply.body)}`);
  }
  if (stopped) printLine(out, `  ${stopped.step}  not shown: ${stopped.reason}`);
}
