import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS } from '../client/api-client.ts';
import { command, optional, oneOf } from '../command-line/command.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { printJson, printLine } from '../command-line/output.ts';

const { dataDir, sandbox, url, json } = CLIENT_OPTIONS;
const NAMES = ['secretKey', 'publicKey'] as const;

export const keys = command({
  name: 'keys',
  details: 'They are read from DATA_DIR/keys.json, without a call.',
  parameters: { name: optional('secretKey or publicKey, to print that key alone') },
  options: { dataDir, sandbox, url, json },
  examples: [
    { line: 'tapbench keys', description: 'prints both keys' },
    {
      line: 'export SECRET_KEY=$(tapbench keys secretKey)',
      description: 'sets the variable of the examples',
    },
  ],
  async run({ context, args, options }) {
    const name = args.name === undefined ? undefined : oneOf('NAME', NAMES, args.name);
    const { secretKey, publicKey } = readKeys(options.dataDir);
    if (secretKey === undefined || publicKey === undefined)
      throw new Fault(
        'bad_setting',
        `${options.dataDir}/keys.json has no keys: set DATA_DIR to the server's data folder`,
      );
    const found = { secretKey, publicKey };
    if (name !== undefined) printLine(context.out, found[name]);
    else if (options.json) printJson(context.out, found);
    else context.out.write(`Secret key  ${secretKey}\nPublic key  ${publicKey}\n`);
  },
});
