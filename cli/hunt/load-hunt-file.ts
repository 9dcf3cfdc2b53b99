import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/**
 * Returns the default export of a module: the options of a hunt.
 * @throws Fault `bad_setting`, saying what to do
 */
export async function loadHuntFile(
  { importModule }: Pick<CommandContext, 'importModule'>,
  file: string,
): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw new Fault('bad_setting', `there is no file ${file}`);
  const { default: options } = await importFile(importModule, file);
  if (typeof options === 'object' && options !== null) return options as Record<string, unknown>;
  throw new Fault('bad_setting', `${file} has no options of a hunt as its default export (docs/hunting.md)`);
}

async function importFile(
  importModule: CommandContext['importModule'],
  file: string,
): Promise<{ default?: unknown }> {
  try {
    return (await importModule(pathToFileURL(resolve(file)).href)) as { default?: unknown };
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== 'ERR_UNKNOWN_FILE_EXTENSION')
      throw new Fault('bad_setting', `${file} cannot be loaded: ${messageOf(thrown)}`, { cause: thrown });
    const how = "use Node 22.18 or later, or install tsx and set NODE_OPTIONS='--import tsx'";
    throw new Fault('bad_setting', `${file}: Node ${process.versions.node} loads no TypeScript: ${how}`, {
      cause: thrown,
    });
  }
}
