import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteOptions,
} from 'fastify';
import type { Problem } from '../../../protocol/schema-problems.ts';
import type { Services } from '../services.ts';
import type { Mode } from '../settings.ts';
import type { Caller } from './auth.ts';
import { dropUnknown, parseBody } from './json-body.ts';
import { acceptUploads, readUpload } from './multipart.ts';
import { routerPattern } from './path-params.ts';
import { parseQuery } from './query.ts';
import { RATE_PER_SECOND } from '../rate-limit.ts';
import { envelope, Refusal } from './refusals.ts';
import { ReplyText } from './reply-text.ts';
import { contextOf, servicesOf } from './request-context.ts';
import { routesIn, type Route } from './route.ts';
import { refuseUnserved } from './unserved-requests.ts';
import { emitCall } from './api-call-notices.ts';

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
const NO_CALLER: Caller = { keyKind: 'public', keyHash: '', platformId: '', accountId: '' };

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
    if (!route.upload) http.route(declared);
    else {
      http.register(async (scope) => {
        await acceptUploads(scope);
        scope.route(declared);
      });
    }
  }
  refuseUnserved(http, served);
}

/** Returns the Fastify handler of one route, which also emits the notices of its calls. */
function handlerOf(route: Route) {
  const run = runnerOf(route);
  // Names and values in turn. V8 makes a class of its own for each object that is spread and then added to.
  const headers = [
    ...(route.access === 'public' ? Object.entries(ANY_ORIGIN).flat() : []),
    'content-type',
    JSON_TYPE,
    'content-length',
  ];

  return async (request: FastifyRequest<Parameters>, reply: FastifyReply) => {
    const notices = emitCall(servicesOf(request).notices, route, request);
    const read: ReadBody = { body: undefined };
    let value: unknown;
    let text: string;
    try {
      value = await run(request, read);
      text = value instanceof ReplyText ? value.text : route.serialise(value);
    } catch (error) {
      notices.failed(read.body, error);
      throw error;
    }
    notices.answered(read.body, value, text);
    // Fastify would find out first what it sends.
    reply.hijack();
    reply.raw.writeHead(route.status, [...headers, String(Buffer.byteLength(text))]).end(text);
  };
}

/** The body of a call after it was read. */
interface ReadBody {
  body: unknown;
}

/** Runs one route: `find`, then the checks of query and body, then `handle`. */
function runnerOf(route: Route) {
  const { checkQuery, checkBody } = route;

  return async (request: FastifyRequest<Parameters>, read: ReadBody): Promise<unknown> => {
    const caller = request.caller ?? NO_CALLER;
    const services = servicesOf(request);
    const { params } = request;
    const query = route.query ? parseQuery(route.query, request.query as Record<string, unknown>) : {};
    const found = route.find && (await route.find({ services, caller, params, query }));
    if (route.find && found === undefined) throw new Refusal('not_found', { what: route.tag.toLowerCase() });
    if (checkQuery) refuseProblems(checkQuery(query));
    const { body, file } = route.upload
      ? await readUpload(request)
      : {
          body: checkBody && parseBody((request.body as string | undefined) ?? '', route.cleared),
          file: undefined,
        };
    read.body = body;
    if (checkBody) refuseProblems(checkBody(body));
    dropUnknown(route.body ?? {}, body);
    return route.handle({ services, caller, params, query, body, file, found });
  };
}

function refuseProblems(problems: Problem[]): void {
  const problem = problems[0];
  if (problem)
    throw new Refusal('invalid_field', { field: problem.path || 'body', problem: problem.message });
}

/** Sends the envelope of a refusal. Pass `requestId` when the log has to contain the same one. */
export function sendRefusal(
  reply: FastifyReply,
  services: Services,
  refusal: Refusal,
  requestId = services.ids.uuid(),
): FastifyReply {
  // The rest of a large body is not read. With two hosts, the bytes after it may be meant for another server.
  if (refusal.refusal === 'body_too_large' || refusal.refusal === 'bad_host')
    void reply.header('connection', 'close');
  if (refusal.refusal === 'rate_exceeded') void reply.header('retry-after', '1');
  return reply
    .code(refusal.status)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify(envelope(requestId, refusal)));
}
