import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { monotonicMs } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { isNestedDeeper, JSON_DEPTH_MAX } from '../../../protocol/outside-json.ts';
import type { Services } from '../services.ts';
import { BODY_BYTES_MAX } from './bodies/body-limits.ts';
import { hasValidHost } from './host-header.ts';
import { exchangeOf } from './calls/exchange.ts';
import { tooDeep } from './bodies/json-body.ts';
import { logRequest } from './calls/log-requests.ts';
import { pathOf } from './path-params.ts';
import { Refusal, type RefusalName } from './refusals.ts';
import { contextOf, servicesOf, setContext, type RequestContext } from './request-context.ts';
import { sendRefusal } from './serve.ts';
import { watchRequest } from './calls/watch-requests.ts';

/** Refusals for the errors of the HTTP library. Its other 4xx errors are `bad_http`. */
const LIBRARY_REFUSALS: Record<string, RefusalName> = {
  FST_ERR_BAD_URL: 'undecodable_path',
  FST_ERR_MAX_PARAM_LENGTH: 'unknown_path',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
};

/** Answers a request with the routes that several sandboxes share; what it is served with is handed in. */
export type Routing = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void;

/**
 * Creates the routing of the routes that `addRoutes` adds: bodies as text, every failure as the error envelope
 * (Spec §7), and one activity for each finished request. It holds nothing of a server, so that all servers of a process
 * can share it.
 */
export async function createRouting(addRoutes: (http: FastifyInstance) => void): Promise<Routing> {
  const http: FastifyInstance = fastify({
    logger: false,
    // A server that stops is refused below, with the envelope.
    return503OnClosing: false,
    bodyLimit: BODY_BYTES_MAX,
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
  });

  // Routes parse every body as JSON whatever its content type: client libraries send others, and none
  // (docs/choices.md, Bodies). A body that is not UTF-8 becomes a replacement character, which is refused as
  // invalid JSON when the body is checked.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  http.removeAllContentTypeParsers();
  // By its name too: of a type that only the asterisk covers, Fastify parses the header of each request again.
  http.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, body, done) => {
    let text = '\ufffd';
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      // Left as it is.
    }
    // Before anything walks the value that it holds: what records and logs the request reads the text too.
    if (isNestedDeeper(text, JSON_DEPTH_MAX)) done(tooDeep());
    else done(null, text);
  });

  http.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  http.addHook('onRequest', (request, _reply, done) => {
    const exchange = exchangeOf(request.raw);
    if (exchange) exchange.request = request;
    const { closing, deleted, fault } = contextOf(request);
    if (fault) done(fault);
    else if (deleted) done(new Refusal('bad_key'));
    else if (closing) done(new Refusal('stopping'));
    else if (!hasValidHost(request.raw)) done(new Refusal('bad_host'));
    // No id contains U+0000, and PostgreSQL takes no text that does.
    else if (pathOf(request.url).includes('%00')) done(new Refusal('undecodable_path'));
    else done();
  });
  http.addHook('preParsing', (request, _reply, _payload, done) => {
    done(isEncoded(request) ? new Refusal('content_encoding') : null);
  });
  addRoutes(http);
  await http.ready();

  return (request, response, context) => {
    setContext(request, context);
    emitAtEnd(request, response, context.services);
    logRequest(request, response, context.services);
    watchRequest(request, response, context.services);
    http.routing(request, response);
  };
}

/** Whether a request has a body in an encoding such as gzip, which no route decodes. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Emits an activity once a request is answered. The hook of Fastify for it adds and removes two listeners. */
function emitAtEnd(
  request: IncomingMessage,
  response: ServerResponse,
  { activities }: Pick<Services, 'activities'>,
): void {
  const beganMs = monotonicMs();
  response.on('finish', () => {
    const { method = '', url = '' } = request;
    const elapsedMs = monotonicMs() - beganMs;
    // A query can hold a client secret, so it is never emitted, logged or echoed.
    activities.emit({ kind: 'request', method, path: pathOf(url), status: response.statusCode, elapsedMs });
  });
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const services = servicesOf(request);
  if (error instanceof Refusal) return sendRefusal(reply, services, error);
  const isOfStore = error instanceof Fault && error.code === 'store';
  // Of a request that was under way, such as a wait.
  if (isOfStore && contextOf(request).deleted) return sendRefusal(reply, services, new Refusal('bad_key'));
  const refusal = libraryRefusal(error ?? {}, request);
  if (refusal) return sendRefusal(reply, services, refusal);

  const requestId = services.ids.uuid();
  services.log.error(
    { err: error, requestId, method: request.method, path: pathOf(request.url) },
    'a request failed',
  );
  const fault = isOfStore
    ? new Refusal('store_failed', { problem: error.message })
    : new Refusal('fault', { requestId });
  return sendRefusal(reply, services, fault, requestId);
}

function libraryRefusal(
  { code, statusCode }: Partial<FastifyError>,
  request: FastifyRequest,
): Refusal | undefined {
  const known = code === undefined ? undefined : LIBRARY_REFUSALS[code];
  if (known === 'unsupported_media' && request.routeOptions.config.upload)
    return new Refusal('not_multipart');
  if (known) return new Refusal(known, { path: pathOf(request.url), limit: '1 MiB' });
  const clientsFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return clientsFault ? new Refusal('bad_http') : undefined;
}
