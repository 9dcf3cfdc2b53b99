import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { watchFleet } from '../watch/watch-fleet.ts';
import { openLiveSocket, sessionOf } from '../watch/live-socket.ts';

const { url, secretKey, dataDir, sandbox } = CLIENT_OPTIONS;

export const watch = command({
  name: 'watch',
  details:
    'A text version of the dashboard: all terminals, and for the selected one the states of its machine, the deadline and the last events.\nArrow keys select a terminal, q quits. When the output is not a terminal, it prints a line for each change until Ctrl-C.',
  parameters: {},
  options: { url, secretKey, dataDir, sandbox },
  examples: [
    { line: 'tapbench watch', description: 'shows the terminals of the server on this machine' },
    { line: 'tapbench watch | grep SIM-0001', description: 'prints the changes of one terminal' },
  ],
  async run({ context, options }) {
    const api = connectApi(context, options);
    const key = options.secretKey ?? readKeys(options.dataDir).secretKey!;
    // A wrong key or address fails at once; a later disconnect is retried.
    let first: string | undefined = await sessionOf(api, key);
    await watchFleet(context, {
      url: options.url,
      open: (events) => openLiveSocket(options.url, events),
      async token() {
        const token = first ?? (await sessionOf(api, key));
        first = undefined;
        return token;
      },
    });
  },
});
