import { onTestFinished } from 'vitest';
import { type CommandTrial, tryCommand } from '../../../testing/hunt/command/command-trial.ts';
import { prepareCommand } from '../../../testing/hunt/command/hunt-command.ts';
import type { CommandHuntOptions, HuntedFault } from '../../../testing/hunt/hunt.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { realTime } from './wait-for.ts';

/** Runs a command as a shop under a plan, in a sandbox that is closed when the test has ended, and judges it. */
export async function judgeCommand(
  command: string,
  plan: HuntedFault[],
  paths: Omit<Partial<CommandHuntOptions>, 'command'> = {
    sell: '/orders',
    books: '/books',
    webhooks: '/webhooks',
  },
): Promise<CommandTrial> {
  const prepared = await startWorld({ startMs: realTime.nowMs() });
  onTestFinished(() => prepared.close());
  const setUp = await prepareCommand(prepared, { command, ...paths, quietSeconds: 1 }, realTime);
  return tryCommand(prepared, setUp, plan);
}
