import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify';
import { messageOf } from '../../../protocol/failures.ts';
import type { Context } from '../context.ts';
import type { Mode } from '../settings.ts';
import type { Caller } from './auth.ts';
import { checkOf, type ReceivedBody } from './calls/check-call.ts';
import { keyUseOf, warnOfIgnoredKey } from './idempotency/key-use.ts';
import { keyedHandlerOf } from './idempotency/keyed-requests.ts';
import { exchangeOf, noteReceived } from './calls/exchange.ts';
import { acceptFiles } from './bodies/file-body.ts';
import { acceptUploads } from './bodies/multipart.ts';
import { pathOf, routerPattern } from './path-params.ts';
import { RATE_PER_SECOND } from '../rate-limit.ts';
import { envelope, Refusal } from './refusals.ts';
import { ReplyFile, sendFile } from './pages/reply-file.ts';
import { textOf } from './pages/reply-text.ts';
import { contextOf, servicesOf } from './request-context.ts';
import { sendReply, strikeRequest } from './calls/struck-calls.ts';
import { routesIn, type Route } from './route.ts';
import { refuseUnserved } from './calls/unserved-requests.ts';
import { emitCall } from './calls/emit-call.ts';

interface Parameters {
  Params: Record<string, string>;
}
type Declared = RouteOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Parameters
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a form with a file. */
    upload?: boolean;
  }
  interface FastifyRequest {
    /** Set once the credentials of the request were checked. */
    caller: Caller | null;
  }
}

// Public keys are used in browsers, from pages of any origin (docs/choices.md, Rate limits).
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Adds the routes of a mode to a routing; each call gets the services of the server that received it. Refusals come in one order: URL,
 * credentials, rate, existence, body, state (docs/choices.md, Order of refusals).
 */
export function serveRoutes(http: FastifyInstance, mode: Mode, routes: readonly Route[]): void {
  const limit = { name: 'v1', perSecond: RATE_PER_SECOND[mode] };
  http.decorateRequest('caller', null);
  const served = routesIn(mode, routes);

  for (const route of served) {
    const declared: Declared = {
      method: route.method,
      url: routerPattern(route.path),
      config: { upload: route.upload },
      onRequest(request, reply, done) {
        const exchange = exchangeOf(request.raw);
        if (exchange) exchange.route = route;
        // The router takes what is empty behind the slash for a parameter.
        const path = pathOf(request.url);
        if (path.endsWith('/')) return done(new Refusal('final_slash', { path }));
        if (route.access === 'open') return done();
        if (route.access === 'public') void reply.headers(ANY_ORIGIN);
        const { authenticate, services } = contextOf(request);
        const { authorization } = request.headers;
        const account = route.accountHeader ? request.headers['account'] : undefined;
        const admit = (caller: Caller) => {
          if (route.surface === 'v1' && !services.rateLimits.allow(limit, caller.keyHash)) {
            throw new Refusal('rate_exceeded', { rate: limit.perSecond });
          }
          request.caller = caller;
        };
        const caller = authenticate(route.access, { authorization, account });
        if (caller instanceof Promise) return void caller.then(admit).then(() => done(), done);
        admit(caller);
        done();
      },
      handler: handlerOf(route),
    };
    const accept = route.bodyType === undefined ? route.upload && acceptUploads : acceptFiles;
    if (!accept) http.route(declared);
    else {
      http.register(async (scope) => {
        await accept(scope);
        scope.route(declared);
      });
    }
  }
  refuseUnserved(http, served);
}

/** Returns the Fastify handler of one route, which also emits its calls. */
function handlerOf(route: Route) {
  const check = checkOf(route);
  // Names and values in turn. V8 makes a class of its own for each object that is spread and then added to.
  const headers = [
    ...(route.access === 'public' ? Object.entries(ANY_ORIGIN).flat() : []),
    'content-type',
    JSON_TYPE,
  ];
  const handleKeyed = keyedHandlerOf(route, check, headers);

  return async (request: FastifyRequest<Parameters>, reply: FastifyReply) => {
    if (servicesOf(request).faults?.awaits('api.request') && !(await strikeRequest(route, request, reply)))
      return;
    const keyUse = keyUseOf(route, request.headers, servicesOf(request).settings);
    if (keyUse === 'used') return handleKeyed(request, reply);
    if (keyUse === 'ignored') warnOfIgnoredKey(contextOf(request), route);
    const callEnd = emitCall(servicesOf(request), route, request);
    const received: ReceivedBody = { body: undefined };
    noteReceived(request, received);
    let value: unknown;
    let text: string;
    try {
      const call = await check(request, received);
      if (route.prepare) await route.prepare(call);
      value = await route.handle(call);
      if (value instanceof ReplyFile) return await replyFile(value, servicesOf(request), reply);
      text = textOf(value, route, servicesOf(request).settings);
    } catch (error) {
      callEnd.failed(received.body, error);
      throw error;
    }
    callEnd.answered(received.body, value, text);
    sendReply(route, reply, { status: route.status, headers, text });
  };
}

async function replyFile(file: ReplyFile, { log }: Context, reply: FastifyReply): Promise<void> {
  reply.hijack();
  await sendFile(file, reply.raw).catch((thrown: unknown) =>
    log.warn({ reason: messageOf(thrown) }, 'a file was not sent to its end'),
  );
}

/** Sends the envelope of a refusal. Pass `requestId` when the log has to contain the same one. */
export function sendRefusal(
  reply: FastifyReply,
  services: Context,
  refusal: Refusal,
  requestId = services.ids.uuid(),
): FastifyReply {
  // The rest of a large body is not read. With two hosts, the bytes after it may be meant for another server.
  if (['body_too_large', 'snapshot_too_large', 'bad_host'].includes(refusal.refusal))
    void reply.header('connection', 'close');
  if (refusal.refusal === 'rate_exceeded' || refusal.refusal === 'idempotency_key_in_use')
    void reply.header('retry-after', '1');
  const answer = JSON.stringify(envelope(requestId, refusal));
  const exchange = exchangeOf(reply.request.raw);
  if (exchange) Object.assign(exchange, { refusal: refusal.refusal, requestId, answer });
  return reply.code(refusal.status).header('content-type', JSON_TYPE).send(answer);
}
