import type { CommandContext } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import type { Scenario } from './scenario.ts';
import type { ScenarioRun } from './run-scenario.ts';

/** Prints what each step of a scenario got, for those who write one. */
export function printScenarioRun(
  { out }: Pick<CommandContext, 'out'>,
  { name, title, steps }: Scenario,
  { observations, stopped }: ScenarioRun,
): void {
  printLine(out, `${name}: ${title}`);
  for (const { step, reply, came } of observations) {
    const done = steps[step]!;
    const what =
      'call' in done ? done.call : 'until' in done ? done.until : 'event' in done ? done.event : done.hand;
    printLine(out, `  ${step}  ${what}  ${reply.status}${came ? '' : ', did not come'}`);
    printLine(out, `     ${JSON.stringify(reply.body)}`);
  }
  if (stopped) printLine(out, `  ${stopped.step}  not shown: ${stopped.reason}`);
}
