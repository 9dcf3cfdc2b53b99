import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { LinkCredentials } from '../../protocol/link.ts';
import { parseUser } from '../../protocol/sandbox-topics.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import { connectApi, type Api, type ClientOptions } from '../client/api-client.ts';
import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';
import { chooseTerminal } from '../client/terminal-choice.ts';

/**
 * Returns the id of the terminal to run, and the API that pairs it: the server's, or one that returns the credentials
 * of a file. Its other requests are rejected with Fault `bad_setting` where no secret key is known.
 */
export async function resolveTerminal(
  context: CommandContext,
  options: ClientOptions & { terminal: string | undefined; credentials: string | undefined },
  choose = (api: Api) => chooseTerminal(api, options.terminal),
): Promise<{ terminalId: string; api: SandboxApi }> {
  if (options.credentials === undefined) {
    const terminalId = await choose(connectApi(context, options));
    const lasting = connectApi(uninterrupted(context), options);
    return { terminalId, api: { request: (method, path, body) => lasting.ask(method, path, body) } };
  }
  const credentials = readCredentials(options.credentials);
  const terminalId = parseUser(credentials.username).id;
  const pairing = `/pairing/terminals/${encodeURIComponent(terminalId)}`;
  return {
    terminalId,
    api: {
      async request(method, path, body) {
        if (path === pairing) return { status: 200, body: credentials };
        return connectApi(uninterrupted(context), options).ask(method, path, body);
      },
    },
  };
}

const CREDENTIALS = ['clientId', 'username', 'password'] as const;

function readCredentials(path: string): LinkCredentials {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The message of a JSON error would quote the password.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Fault('bad_setting', `--credentials ${path} cannot be read: ${reason}`);
  }
  const credentials = value as LinkCredentials | null;
  const missing = CREDENTIALS.find((name) => typeof credentials?.[name] !== 'string');
  if (!credentials || missing) throw new Fault('bad_setting', `--credentials ${path}: ${missing} is missing`);
  return credentials;
}
