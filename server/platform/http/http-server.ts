import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Fault } from '../../../protocol/failures.ts';
import type { Services } from '../services.ts';
import { hasValidHost } from './host-header.ts';
import { Refusal, type RefusalName } from './refusals.ts';
import { sendRefusal } from './serve.ts';
import { answerParserError, answerUnroutedRequests } from './unrouted-requests.ts';
import { upgradableRequest } from './upgrades.ts';

const BODY_BYTES_MAX = 1024 * 1024; // docs/choices.md, Order of refusals
const REQUEST_MS_MAX = 60_000; // for the whole request to arrive, so that slow ones do not pile up

/** What the HTTP library refuses by itself, in our words. Any other 4xx of it is `bad_http`. */
const LIBRARY_REFUSALS: Record<string, RefusalName> = {
  FST_ERR_BAD_URL: 'undecodable_path',
  FST_ERR_MAX_PARAM_LENGTH: 'unknown_path',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
};

/**
 * The HTTP server without its routes: bodies as text, every failure as the error envelope (Spec §7), and one
 * notice for each finished request. Listens nowhere by itself.
 */
export function createHttp(services: Services): FastifyInstance {
  const http: FastifyInstance = fastify({
    logger: false,
    // A bad Host header and a server that stops are refused below, with the envelope.
    http: { IncomingMessage: upgradableRequest(() => http.server), requireHostHeader: false },
    return503OnClosing: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    // What is refused before it is routed passes no hooks.
    frameworkErrors(error, request, reply) {
      answerFailure(services, error, request, reply);
      tellFinished(services, request, reply);
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, services),
  });

  // Whatever a body says it is, routes take it for JSON: client libraries send it with other types and with
  // none (docs/choices.md, Bodies). Bytes that are not UTF-8 are not JSON either, and are refused as such when
  // it is the body's turn; the replacement character stands for them until then.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, utf8.decode(body as Buffer));
    } catch {
      done(null, '\ufffd');
    }
  });

  http.setErrorHandler((error, request, reply) => answerFailure(services, error, request, reply));
  http.setNotFoundHandler((request, reply) =>
    sendRefusal(reply, services, new Refusal('unknown_path', { path: pathOf(request) })),
  );
  let closing = false;
  http.addHook('preClose', async () => void (closing = true));
  http.addHook('onRequest', (request, _reply, done) => {
    if (closing) done(new Refusal('stopping'));
    else if (!hasValidHost(request.raw)) done(new Refusal('bad_host'));
    // No id holds U+0000, and PostgreSQL takes no text that does, so such a path names nothing.
    else done(pathOf(request).includes('%00') ? new Refusal('undecodable_path') : undefined);
  });
  answerUnroutedRequests(http.server, services);
  http.addHook('onResponse', (request, reply, done) => {
    tellFinished(services, request, reply);
    done();
  });
  return http;
}

function tellFinished({ notices }: Services, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode: status, elapsedTime: elapsedMs } = reply;
  notices.emit({ kind: 'request', method: request.method, path: pathOf(request), status, elapsedMs });
}

// A query can hold a client secret, so it is never emitted, logged or echoed.
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!;
}

function answerFailure(
  services: Services,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof Refusal) return sendRefusal(reply, services, error);
  const refusal = libraryRefusal(error ?? {}, request);
  if (refusal) return sendRefusal(reply, services, refusal);

  const requestId = services.ids.uuid();
  services.log.error(
    { err: error, requestId, method: request.method, path: pathOf(request) },
    'a request failed',
  );
  const fault =
    error instanceof Fault && error.code === 'store'
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
  if (known) return new Refusal(known, { path: pathOf(request), limit: '1 MiB' });
  const clientsFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return clientsFault ? new Refusal('bad_http') : undefined;
}
