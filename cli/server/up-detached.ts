import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { EXIT } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import { createDataFolder } from '../data-folder/data-folder.ts';

interface DetachOptions {
  dataDir: string;
  ephemeral: boolean;
  json: boolean;
}

/**
 * Starts `tapbench up` in a process of its own, prints what it prints when it is ready, and returns the exit code: 1 when it has
 * not become ready.
 * @throws Fault `bad_setting` with `--ephemeral`: no other command would find the server
 */
export async function upDetached(
  context: CommandContext,
  { dataDir, ephemeral, json }: DetachOptions,
): Promise<number> {
  if (ephemeral)
    throw new Fault(
      'bad_setting',
      '--detach needs a data folder, in which other commands find the server: leave out --ephemeral',
    );
  createDataFolder(dataDir);
  const log = join(dataDir, 'up.log');
  let hasExplained = false;
  const onError = (text: string) => {
    hasExplained ||= /^tapbench: /m.test(text);
    context.err.write(text);
  };
  const { interrupted } = context;
  const outcome = await context.startDetached({ log, onError, interrupted });
  if ('ready' in outcome) {
    context.out.write(outcome.ready);
    if (!json) printLine(context.out, `Runs until 'tapbench down'. Log: ${log}`);
    return EXIT.ok;
  }
  if (interrupted.aborted) return EXIT.interrupted;
  if (!hasExplained)
    printLine(context.err, `tapbench: the server ended by ${outcome.ended} before it was ready: see ${log}`);
  return EXIT.failed;
}
