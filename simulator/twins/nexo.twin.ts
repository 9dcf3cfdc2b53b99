import { createServer as createClearServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { BytePort } from '../../agent/readers/byte-port.ts';
import { Fault } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { portStream } from './device-port.ts';
import { createTerminalIdentity, type TerminalIdentity } from './nexo/certificates.ts';
import { createNexoService, type NexoState } from './nexo/service.ts';
import { stoppableControlsOf, createStandAloneDevice } from './stand-alone/stand-alone-device.ts';
import type { CardTray, Twin, TwinParts } from './twin.ts';
import { chosen } from './typed-words.ts';

const POI_ID = 'P400Plus-123456789';
const DOMAIN = 'test.terminal.adyen.com';
const PATH = '/nexo/';
const BODY_MAX = 1_000_000;
const LOCAL_KEY = { passphrase: 'tapbench-local-passphrase', identifier: 'tapbench', version: 1 };
const ON_OFF = ['on', 'off'] as const;

const terminals = new WeakMap<CardTray, NexoState>();

/** The terminal with this tray. */
function terminalOf(tray: CardTray): NexoState {
  const known = terminals.get(tray);
  if (known) return known;
  const fresh: NexoState = { key: LOCAL_KEY, poiId: POI_ID, takesClear: true, running: undefined };
  terminals.set(tray, fresh);
  return fresh;
}

let identity: TerminalIdentity | undefined;

/** The certificate of every terminal. Its keys are for tests alone, and the same each time, so that a till can keep its authority. */
function identityOfTerminals(): TerminalIdentity {
  identity ??= createTerminalIdentity(`${POI_ID}.${DOMAIN}`, seededRandom('nexo test authority'));
  return identity;
}

/** What serves one connection. */
interface Connection {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onTlsError(error: Error): void;
}

/** A server for one connection after the other: creating one takes longer than all else about a connection. */
interface ConnectionServer {
  server: Server;
  connection: Connection | undefined;
}

/** The servers that no connection has at present. */
const unused: ConnectionServer[] = [];

/** Serves a connection. Its server is used again once the connection is over. */
function serveConnection(port: BytePort, connection: Connection): void {
  const taken = unused.pop() ?? createConnectionServer();
  taken.connection = connection;
  taken.server.emit('connection', portStream(port));
}

function createConnectionServer(): ConnectionServer {
  const { certificate: cert, key } = identityOfTerminals();
  const server = createServer({ cert, key }, (...exchange) => made.connection?.onRequest(...exchange));
  const made: ConnectionServer = { server, connection: undefined };
  const end = () => {
    if (made.connection) unused.push(made);
    made.connection = undefined;
  };
  // A connection ends with its socket, or in an error where its handshake fails.
  server.on('secureConnection', (socket) => socket.once('close', end));
  server.on('tlsClientError', (error) => {
    made.connection?.onTlsError(error);
    end();
  });
  return made;
}

/** What a person can do at the terminal on this tray. */
export function controlsOf(tray: CardTray): Twin['controls'] {
  const terminal = terminalOf(tray);
  return {
    ...stoppableControlsOf(tray),
    authority: { run: () => identityOfTerminals().authority },
    clear: {
      argument: 'on|off',
      run: (word) => void (terminal.takesClear = chosen('clear', ON_OFF, word) === 'on'),
    },
    passphrase: {
      argument: 'TEXT',
      run: (text) => void (terminal.key = { ...terminal.key, passphrase: text ?? LOCAL_KEY.passphrase }),
    },
  };
}

/** Creates a terminal with nexo in JSON over HTTPS. Each connection is one of its own, to the terminal of the tray. */
export function createTwin(parts: TwinParts): Twin {
  return createTwinAt(serveConnection, parts);
}

/** Creates the same terminal over HTTP, for a line whose ends are in one process and pass each message on in clear. */
export function createTwinWithoutTls(parts: TwinParts): Twin {
  return createTwinAt((port, { onRequest }) => {
    createClearServer(onRequest).emit('connection', portStream(port));
  }, parts);
}

function createTwinAt(serveAt: (port: BytePort, connection: Connection) => void, parts: TwinParts): Twin {
  const { clock, random, tray } = parts;
  const device = createStandAloneDevice(parts, { language: 'en' });
  const { port } = device;
  const state = terminalOf(tray);
  const answer = createNexoService({ clock, random, device, state });

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    // A replay of what is said has no other bytes than its recording.
    response.sendDate = false;
    const reply = (status: number, text: string) => {
      const type = text === '' ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, type).end(text);
    };
    const wrong = (status: number, problem: string) => {
      device.noteProblem(problem);
      reply(status, JSON.stringify({ errors: [problem] }));
    };
    if (request.url?.replace(/\/?$/, '/') !== PATH) return wrong(404, `request, path: ${PATH} is expected`);
    if (request.method !== 'POST') return wrong(405, 'request, method: POST is expected');
    const body = await bodyOf(request);
    if (body === undefined) return wrong(413, `request, body: at most ${BODY_MAX} characters are taken`);
    // A till may be gone by then; the terminal keeps the result.
    const { status, text } = await answer(body);
    reply(status, text);
  };
  serveAt(port, {
    onRequest: (request, response) => device.run(serve(request, response)),
    onTlsError: (error) => device.noteProblem(`TLS: ${error.message}`),
  });
  return { name: 'nexo terminal', controls: controlsOf(tray), close: () => port.close() };
}

/** Returns the text of a request; undefined when it is too long. @throws Fault `reader` when the till hangs up. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let body = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      body += String(chunk);
      if (body.length > BODY_MAX) return undefined;
    }
  } catch (error) {
    throw new Fault('reader', 'the till has disconnected', { cause: error });
  }
  return body;
}
