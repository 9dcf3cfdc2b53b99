import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { programCall } from '../../protocol/system/program-call.ts';
import { EXIT } from './command.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Runs a command to its end and returns its exit code. Ctrl-C reaches it too, since both have the same terminal.
 * @param more variables of its environment, besides those of this process
 * @throws Fault `bad_setting` when it cannot be run
 */
export async function runCommand(
  [program, ...args]: string[],
  { interrupted, env }: Pick<CommandContext, 'interrupted' | 'env'>,
  more: Record<string, string> = {},
): Promise<number> {
  const call = programCall(program!, args, { env });
  const child = spawn(call.file, call.words, { ...call.options, stdio: 'inherit', env: { ...env, ...more } });
  return endOf(child, program!, interrupted);
}

/**
 * Runs a command line to its end and returns its exit code. What it prints goes to standard error, as standard output may be that
 * of a protocol.
 * @param more variables of its environment, besides those of this process
 * @throws Fault `bad_setting` when it cannot be run
 */
export async function runCommandLine(
  line: string,
  { interrupted, env }: Pick<CommandContext, 'interrupted' | 'env'>,
  more: Record<string, string>,
): Promise<number> {
  const child = spawn(line, { shell: true, stdio: ['ignore', 2, 2], env: { ...env, ...more } });
  return endOf(child, line, interrupted);
}

async function endOf(child: ChildProcess, name: string, interrupted: AbortSignal): Promise<number> {
  const stop = () => void child.kill();
  interrupted.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? EXIT.interrupted;
  } catch (thrown) {
    throw new Fault('bad_setting', `${name} cannot be run: ${messageOf(thrown)}`, { cause: thrown });
  } finally {
    interrupted.removeEventListener('abort', stop);
  }
}
