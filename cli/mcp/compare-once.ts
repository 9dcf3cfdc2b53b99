import { Fault } from '../../protocol/failures.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { compareServers } from '../compare/compare-servers.ts';
import type { JudgedComparison } from '../compare/result.ts';
import { selectScenarios } from '../compare/select-scenarios.ts';

/** The server with which the command was started. An agent cannot name another, which would get the key. */
export interface OtherServer {
  to: string | undefined;
  secretKey: string | undefined;
  publicKey: string | undefined;
}

const RATE = 5;
const PATIENCE_SECONDS = 30;
const FOLDER = 'comparison';

/** Compares with the other server by scenarios, and writes the result to a folder. @throws Fault `bad_setting` without one */
export async function compareOnce(
  context: CommandContext,
  { to, secretKey, publicKey }: OtherServer,
  hostOf: (using: CommandContext) => ServerApi,
  only: readonly string[],
): Promise<JudgedComparison> {
  if (to === undefined)
    throw new Fault(
      'bad_setting',
      'there is no server to compare with: start tapbench mcp with --compare-to, and its sandbox key in COMPARE_KEY',
    );
  const scenarios = selectScenarios({ scenarios: undefined, only: only.join(',') });
  return compareServers(context, scenarios, {
    hostOf,
    options: {
      to,
      compareKey: secretKey,
      comparePublicKey: publicKey,
      rate: RATE,
      patience: PATIENCE_SECONDS,
      // Who has started the command with that server has agreed.
      yes: true,
      hands: false,
      resume: false,
      only: only.join(','),
      out: FOLDER,
      json: true,
      receiver: undefined,
      receiverPort: 0,
    },
  });
}
