import { Fault } from '../../protocol/failures.ts';
import { dashboardLink } from '../data-folder/addresses.ts';
import { CLIENT_OPTIONS, createApi, httpTransport } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { SETTINGS } from '../command-line/config.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { printLine } from '../command-line/output.ts';
import { otherServerHint } from '../command-line/server-address.ts';

const { url, dataDir, sandbox } = CLIENT_OPTIONS;

export const open = command({
  name: 'open',
  details:
    'The link contains the dashboard token, which the server stores in its data folder. Anyone with the link can use the dashboard.',
  parameters: {},
  options: {
    url,
    dataDir,
    sandbox,
    dashboardToken: {
      ...SETTINGS.dashboardToken,
      description: 'Token of the dashboard link',
      defaultText: 'the one in DATA_DIR/keys.json',
    },
  },
  examples: [{ line: 'tapbench open', description: 'opens the dashboard of the server on this machine' }],
  async run({ context, options }) {
    const token = options.dashboardToken ?? readKeys(options.dataDir).dashboardToken;
    if (token === undefined) {
      throw new Fault(
        'bad_setting',
        `${options.dataDir}/keys.json has no dashboard token: set DATA_DIR to the folder of the server`,
      );
    }
    const api = createApi(context, httpTransport(context, options), { url: options.url, secretKey: token });
    const answer = await api.ask('POST', '/dashboard/codes');
    const { code } = (answer.body ?? {}) as { code?: unknown };
    if (answer.status !== 200 || typeof code !== 'string') {
      throw new Fault(
        'server_answer',
        `the server at ${options.url} does not accept the dashboard token of ${options.dataDir} (${answer.status}): set DATA_DIR to the folder of that server${otherServerHint(options)}`,
      );
    }
    printLine(context.out, dashboardLink(options.url, { token }));
    // Other users of the machine can read a program's arguments: the code works once, for a minute.
    const opened = await context.openBrowser(dashboardLink(options.url, { code }));
    if (!opened) context.err.write('no browser could be opened: open the link yourself\n');
  },
});
