import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';
import type { PairedCredentials } from '../../simulator/pairing.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { enumOption, stringOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

export const pair = command({
  name: 'pair',
  details: 'They are shown once. Pairing again creates new ones and revokes the old ones.',
  parameters: { terminal: terminalParameter },
  options: {
    out: stringOption({
      flag: '--out <file>',
      description: 'Write them to a file for `tapbench agent --credentials`, readable by its owner only',
    }),
    keys: enumOption(['AES', 'TDES'], {
      flag: '--keys <scheme>',
      description: 'Scheme of the DUKPT keys for card data and PINs: AES or TDES',
      defaultValue: 'AES',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench pair 1853012345 --out till-2.json', description: 'for a terminal on another machine' },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const credentials = await api.call('POST /pairing/terminals/{id}', {
      params: { id: terminalId },
      body: { keyScheme: options.keys },
    });
    if (options.out !== undefined) {
      writeCredentials(options.out, credentials);
      printLine(context.err, `credentials of ${terminalId} written to ${options.out}`);
    } else if (options.json) printJson(context.out, credentials);
    else printTable(context.out, rowsOf(credentials));
  },
});

function rowsOf({ keys, ...credentials }: PairedCredentials): [string, string][] {
  const keyRows = Object.entries(keys ?? {}).map(([name, value]): [string, string] => [
    `keys.${name}`,
    value,
  ]);
  return [...Object.entries(credentials), ...keyRows];
}

function writeCredentials(path: string, credentials: PairedCredentials): void {
  try {
    const file = openSync(path, 'w', PRIVATE_FILE);
    try {
      // An existing file would keep its mode.
      fchmodSync(file, PRIVATE_FILE);
      writeSync(file, `${JSON.stringify(credentials, null, 2)}\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Fault('bad_setting', `--out ${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
