import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { LinkCredentials } from '../../protocol/link.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command } from '../command.ts';
import { text } from '../option.ts';
import { printJson, printTable } from '../output.ts';
import { chooseTerminal, terminalParameter } from '../terminal-choice.ts';

export const pair = command({
  name: 'pair',
  summary: 'Give a terminal its MQTT credentials',
  details: 'They are shown once. Pairing again makes new ones, and the old ones stop working.',
  parameters: { terminal: terminalParameter },
  options: {
    out: text({
      flag: '--out <file>',
      meaning: 'Write them to a file for `tapbench agent --credentials`, for its owner alone',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench pair 1853012345 --out till-2.json', does: 'for a terminal on another machine' },
  ],
  async run({ around, words, options }) {
    const api = connectApi(around, options);
    const terminalId = await chooseTerminal(api, words.terminal);
    const credentials = await api.post<LinkCredentials>(
      `/pairing/terminals/${encodeURIComponent(terminalId)}`,
    );
    if (options.out !== undefined) {
      writeCredentials(options.out, credentials);
      around.err.write(`credentials of ${terminalId} written to ${options.out}\n`);
    } else if (options.json) printJson(around.out, credentials);
    else printTable(around.out, Object.entries(credentials));
  },
});

function writeCredentials(path: string, credentials: LinkCredentials): void {
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      // A file that was there already keeps its mode otherwise.
      fchmodSync(file, 0o600);
      writeSync(file, `${JSON.stringify(credentials, null, 2)}\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Fault('bad_setting', `--out ${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
