import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Services } from '../../services.ts';
import { logRequest, logUnparsed } from './log-requests.ts';
import { exchangeOf } from './exchange.ts';
import { envelope, Refusal, type RefusalName } from '../refusals.ts';

/** Parse errors and timeouts of Node with a status of their own. All others are `bad_http`. */
const PARSER_REFUSALS: Record<string, RefusalName> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk_extensions_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Sends the error envelope (Spec §7) for requests that Node's HTTP server refuses itself and never passes to a route:
 * an `Expect` header other than `100-continue`, and a CONNECT.
 */
export function handleUnroutedRequests(http: Server, services: Services): void {
  http.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    logRequest(request, response, services);
    const { status, headers, body, requestId } = answerOf(new Refusal('unknown_expectation'), services);
    const exchange = exchangeOf(request);
    if (exchange) Object.assign(exchange, { refusal: 'unknown_expectation', requestId, answer: body });
    response.writeHead(status, headers).end(body);
  });
  http.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    // Node's server no longer counts this connection, and would wait for it when it closes.
    endWith(socket, new Refusal('wrong_method', { method: 'CONNECT' }), services, () => socket.destroy());
  });
}

/**
 * Sends the error envelope for a request that cannot be parsed or does not arrive in time, and closes the connection.
 */
export function sendParserError(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Duplex,
  services: Services,
): void {
  if (!socket.writable || socket.destroyed) return;
  const refusal = new Refusal(PARSER_REFUSALS[error.code ?? ''] ?? 'bad_http');
  const { body, requestId } = endWith(socket, refusal, services);
  logUnparsed(error.rawPacket, services, { refusal, requestId, answer: body });
}

function endWith(socket: Duplex, refusal: Refusal, services: Context, sent?: () => void) {
  const answer = answerOf(refusal, services);
  const { status, headers, body } = answer;
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'), sent);
  return answer;
}

/** Closes the connection: nothing after such a request can be read. */
function answerOf(refusal: Refusal, services: Context) {
  const requestId = services.ids.uuid();
  const body = JSON.stringify(envelope(requestId, refusal));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  return { status: refusal.status, headers, body, requestId };
}
