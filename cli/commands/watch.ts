import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi, refused, type Api } from '../api-client.ts';
import { command } from '../command.ts';
import { readKeys } from '../data-folder.ts';
import { openLiveSocket } from '../watch/live-socket.ts';
import { watchFleet } from '../watch/watch-fleet.ts';

const { url, secretKey, dataDir } = CLIENT_OPTIONS;

export const watch = command({
  name: 'watch',
  summary: 'Watch the fleet and its actions on a text screen',
  details:
    'What the dashboard shows, for those without a browser: each terminal, and of the one that is chosen the states of its machine, the deadline and the last events.\nArrow keys choose a terminal, q ends. Where the output is no terminal, a line is printed for each change, until Ctrl-C.',
  parameters: {},
  options: { url, secretKey, dataDir },
  examples: [
    { line: 'tapbench watch', description: 'shows the fleet of the server on this machine' },
    { line: 'tapbench watch | grep SIM-0001', description: 'prints what becomes of one terminal' },
  ],
  async run({ context, options }) {
    const api = connectApi(context, options);
    const key = options.secretKey ?? readKeys(options.dataDir).secretKey!;
    // A wrong key or address is said at once; later a server may go and come back.
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

/** @throws Fault `transport` when nobody answers, `server_answer` when the server does not want the key. */
async function sessionOf(api: Api, key: string): Promise<string> {
  const path = '/dashboard/session';
  const answer = await api.ask('POST', path, { key });
  if (answer.status !== 200) throw refused('POST', path, answer);
  const { token } = (answer.body ?? {}) as { token?: unknown };
  if (typeof token !== 'string') {
    throw new Fault('server_answer', `POST ${path} was not answered as a Tapbench server does`);
  }
  return token;
}
