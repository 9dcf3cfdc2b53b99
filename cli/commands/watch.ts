import { WebSocket } from 'ws';
import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi, refused, type ServerApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { watchFleet } from '../watch/watch-fleet.ts';
import type { Socket, SocketEvents } from '../../server/dashboard/page/link/connection.ts';

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

/**
 * Exchanges the secret key for a dashboard token. @throws Fault `transport` when the server cannot be reached,
 * `server_answer` when it refuses the key.
 */
async function sessionOf(api: ServerApi, key: string): Promise<string> {
  const path = '/dashboard/session';
  const answer = await api.ask('POST', path, { key });
  if (answer.status !== 200) throw refused('POST', path, answer, api);
  const { token } = (answer.body ?? {}) as { token?: unknown };
  if (typeof token !== 'string') {
    throw new Fault('server_answer', `POST ${path} did not reply as a Tapbench server does`);
  }
  return token;
}

/** Path of the dashboard's WebSocket. */
const LIVE_PATH = '/dashboard/live';

/** Opens the WebSocket that sends live updates of the dashboard. @param server its URL */
function openLiveSocket(server: string, events: SocketEvents): Socket {
  const socket = new WebSocket(`${server.replace(/^http/, 'ws').replace(/\/$/, '')}${LIVE_PATH}`);
  socket.on('open', events.opened);
  socket.on('message', (data) => events.text(String(data)));
  socket.on('close', events.closed);
  // `close` follows, and the connection is opened again.
  socket.on('error', () => {});
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.terminate(),
  };
}
