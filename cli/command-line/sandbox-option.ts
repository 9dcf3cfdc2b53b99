import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { DEFAULT_SANDBOX, isSandboxName } from '../../protocol/sandbox-topics.ts';
import { stringOption } from './option.ts';
import { findServer } from './server-address.ts';

/** The option of commands that call a server, for one of its sandboxes. */
export const sandboxOption = stringOption({
  flag: '--sandbox <name>',
  env: 'TAPBENCH_SANDBOX',
  description: 'The sandbox of the server to use, with its key in DATA_DIR; SECRET_KEY is not used then',
  defaultText: 'default',
});

interface SandboxOptions {
  sandbox?: string | undefined;
  url?: string | undefined;
  dataDir?: string;
}

/**
 * Returns the options of a command with the address of its server, and as those for the sandbox that they name: its
 * address, its folder and no other key.
 * @throws Fault `bad_setting` for a name that is none, and for a sandbox that is not in the data folder; `data_folder`
 * when the address in the folder cannot be read
 */
export function forServer<O>(typed: O): O {
  const { url: given, dataDir = '' } = typed as SandboxOptions;
  if (!('url' in (typed as object))) return typed;
  return forSandbox({ ...typed, ...findServer(given, dataDir) });
}

function forSandbox<O>(options: O): O {
  const { sandbox = DEFAULT_SANDBOX, url, dataDir = '' } = options as SandboxOptions;
  if (sandbox === DEFAULT_SANDBOX) return options;
  if (!isSandboxName(sandbox))
    throw new Fault('bad_setting', `--sandbox: ${sandbox} is not the name of a sandbox`);
  const folder = join(dataDir, 'sandboxes', sandbox);
  if (!existsSync(folder)) {
    throw new Fault(
      'bad_setting',
      `--sandbox: there is no ${folder}: set DATA_DIR to the folder of the server, or set SECRET_KEY to the key of the sandbox and leave --sandbox out`,
    );
  }
  return {
    ...options,
    url: `${url}/s/${sandbox}`,
    dataDir: folder,
    secretKey: undefined,
    dashboardToken: undefined,
  };
}
