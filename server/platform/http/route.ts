import type { Readable } from 'node:stream';
import type { TObject } from 'typebox';
import { checker, takesNull, type Static, type TSchema } from '../../../protocol/schema.ts';
import type { Problem } from '../../../protocol/schema-problems.ts';
import type { Services } from '../services.ts';
import type { Access, Caller } from './auth.ts';
import type { RequestDigests } from './idempotency/keyed-request.ts';
import type { UploadedFile } from './bodies/multipart.ts';
import type { ParamNames, Params } from './path-params.ts';
import type { RefusalName } from './refusals.ts';
import type { ReplyFile } from './pages/reply-file.ts';
import type { ReplyText } from './pages/reply-text.ts';
import { serialiser } from './serialiser.ts';
import { schemaWithoutExtensions } from './extensions.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Part of the server that a route belongs to: `v1` is the API itself, under /v1 and its rate limit; `sandbox` are the
 * controls of the sandbox, not served with live keys; `pairing` gives terminals their credentials; `open` needs no key.
 */
type Surface = 'v1' | 'sandbox' | 'pairing' | 'open';

/** Names the properties of an object's schema that take null (docs/choices.md, Null). */
function nullableProperties(schema: TSchema): string[] {
  const { properties = {} } = schema as Partial<TObject>;
  return Object.entries(properties).flatMap(([name, property]) => (takesNull(property) ? [name] : []));
}

/** What `find` of a route is given. `Names` are the path parameters that it reads. */
export interface FindContext<Names extends string = never, Query = unknown, S extends Services = Services> {
  /** Of the sandbox that the call is for. */
  services: S;
  caller: Caller;
  params: Params<Names>;
  query: Query;
}

/** What `handle` of a route is given. */
interface HandlerContext<Names extends string, Query, Body, Found, S extends Services> extends FindContext<
  Names,
  Query,
  S
> {
  body: Body;
  /** The file of an upload. */
  file: UploadedFile | undefined;
  /** The body as it arrives, where the route declares `bodyType`. */
  content: Readable;
  /** What `find` found. */
  found: Found;
  /** Identify the request where it has an idempotency key and the route works outside the store. */
  digests?: RequestDigests;
}

/** What a request has, before it is checked. */
type Given = Readonly<Record<string, unknown>>;

type Operation = `${Method} /${string}`;

/** What every declaration of an operation says of it. */
export interface RouteAbout<O extends Operation> {
  /** Method and path as the specification prints them, without the /v1 prefix. */
  operation: O;
  surface?: Surface;
  /** Tag in the OpenAPI document. */
  tag: string;
  summary: string;
  section: string;
  access?: Access;
  /** Whether the Account header chooses a linked sub account. */
  accountHeader?: boolean;
}

interface Declaration<
  O extends Operation,
  B extends TSchema,
  Q extends TObject,
  R extends TSchema,
  Found,
  S extends Services,
> extends RouteAbout<O> {
  query?: Q;
  body?: B;
  /** The body is a form (multipart/form-data) with a file; `body` is the schema of its fields. */
  upload?: boolean;
  /** Content type of a body that is a file: of any size, and not read before `handle`. */
  bodyType?: string;
  /** Content type of a reply that is a file: `handle` returns a ReplyFile. */
  replyType?: string;
  /** Names the properties of a body that have no effect. They are dropped before the body is checked. */
  ignoredInBody?: (body: Given, found: Found) => readonly string[];
  /** Names the parameters of a query that have no effect. They are dropped before the query is checked. */
  ignoredInQuery?: (query: Given) => readonly string[];
  reply: R;
  /** HTTP status of success: 202 for captures, voids and refunds, 200 for all else. */
  status?: 200 | 202;
  /** The refusals of this route beyond those of every route, for the OpenAPI document. */
  refusals?: readonly RefusalName[];
  /** Served, but new integrations should not call it (Spec §9). */
  deprecated?: boolean;
  /**
   * Finds the object that the path names, before the body is checked (docs/choices.md, Order of refusals). Undefined
   * is refused with 404.
   */
  find?: (call: FindContext<ParamNames<O>, Static<Q>, S>) => Promise<Found | undefined>;
  /** What `handle` needs of the network, such as a look at a URL: it is run before `handle`, outside its transaction. */
  prepare?: (call: HandlerContext<ParamNames<O>, Static<Q>, Static<B>, Found, S>) => Promise<void>;
  /**
   * Whether the work is more than what the handler writes into the store. The answer to a request with an idempotency
   * key is then kept after the work; of other routes both are one transaction. A route that stores `digests` with its
   * work can find it when the server ended between the two (idempotency/work-once.ts).
   */
  worksOutside?: boolean;
  handle: (
    call: HandlerContext<ParamNames<O>, Static<Q>, Static<B>, Found, S>,
  ) => Promise<Static<R> | ReplyText | ReplyFile>;
}

/**
 * A declared route with its types erased: what the server serves and the OpenAPI document describes. It holds nothing
 * of a server, so all sandboxes of a process share it with its validators and its serialiser.
 */
export interface Route {
  operation: string;
  method: Method;
  /** Full path of this server, prefix included, with `{name}` parameters. */
  path: string;
  surface: Surface;
  tag: string;
  summary: string;
  section: string;
  access: Access;
  accountHeader: boolean;
  query: TObject | undefined;
  body: TSchema | undefined;
  upload: boolean;
  bodyType: string | undefined;
  replyType: string | undefined;
  /** Properties of the body that null clears: those whose schema takes null. Null in any other is ignored. */
  cleared: readonly string[];
  ignoredInBody: ((body: Given, found: unknown) => readonly string[]) | undefined;
  ignoredInQuery: ((query: Given) => readonly string[]) | undefined;
  reply: TSchema;
  status: 200 | 202;
  refusals: readonly RefusalName[];
  deprecated: boolean;
  /** Problems of a query, none when it fits; undefined where the route declares no query. */
  checkQuery: ((query: unknown) => Problem[]) | undefined;
  /** Problems of a body, none when it fits; undefined where the route declares no body. */
  checkBody: ((body: unknown) => Problem[]) | undefined;
  /** Writes a reply as JSON text. */
  serialise: (reply: unknown) => string;
  /** Writes a reply without what is beyond the specification. */
  serialiseStrict: (reply: unknown) => string;
  find: ((call: FindContext<string>) => Promise<unknown>) | undefined;
  prepare: ((call: RouteCall) => Promise<void>) | undefined;
  worksOutside: boolean;
  handle: (call: RouteCall) => Promise<unknown>;
}

/** What a route with its types erased is given. */
export type RouteCall = HandlerContext<string, unknown, unknown, unknown, Services>;

/** Whether requests to a route may have an idempotency key: to none with a file of any size, which is not kept in memory. */
export function takesIdempotencyKey({ method, bodyType }: Pick<Route, 'method' | 'bodyType'>): boolean {
  return method === 'POST' && bodyType === undefined;
}

/** The routes of a mode: with live keys there are no controls of the sandbox (Spec §1). */
export function routesIn(mode: 'sandbox' | 'live', routes: readonly Route[]): Route[] {
  return routes.filter((each) => mode === 'sandbox' || each.surface !== 'sandbox');
}

/** The routes of the OpenAPI document of a mode: those of the API, and in the sandbox its controls. */
export function documentedIn(mode: 'sandbox' | 'live', routes: readonly Route[]): Route[] {
  return routes.filter(({ surface }) => mode === 'sandbox' || surface !== 'sandbox');
}

/**
 * Declares one operation: who may call it, its query, body and reply, and what it does. Its handlers are given the
 * services of the platform.
 */
export const route = routeFor<Services>();

/**
 * Returns what declares the operations of an area whose handlers need more than the services of the platform: ports of
 * the area, which the composition root connects (server/create-services.ts).
 */
export function routeFor<S extends Services>() {
  return <
    const O extends Operation,
    B extends TSchema = TSchema,
    Q extends TObject = TObject,
    R extends TSchema = TSchema,
    Found = undefined,
  >(
    declaration: Declaration<O, B, Q, R, Found, S>,
  ): Route => erased(declaration);
}

function erased<
  O extends Operation,
  B extends TSchema,
  Q extends TObject,
  R extends TSchema,
  Found,
  S extends Services,
>(declaration: Declaration<O, B, Q, R, Found, S>): Route {
  const { operation, surface = 'v1', query, body, reply } = declaration;
  const [method, path] = operation.split(' ') as [Method, string];
  const strictReply = schemaWithoutExtensions(reply);
  const serialise = serialiser(reply);
  return {
    operation,
    method,
    path: surface === 'v1' ? `/v1${path}` : path,
    surface,
    tag: declaration.tag,
    summary: declaration.summary,
    section: declaration.section,
    access: declaration.access ?? 'secret',
    accountHeader: declaration.accountHeader ?? false,
    query,
    body,
    upload: declaration.upload ?? false,
    bodyType: declaration.bodyType,
    replyType: declaration.replyType,
    cleared: body ? nullableProperties(body) : [],
    ignoredInBody: declaration.ignoredInBody as Route['ignoredInBody'],
    ignoredInQuery: declaration.ignoredInQuery,
    reply,
    status: declaration.status ?? 200,
    refusals: declaration.refusals ?? [],
    deprecated: declaration.deprecated ?? false,
    checkQuery: query && checker(query),
    checkBody: body && declaration.bodyType === undefined ? checker(body) : undefined,
    serialise,
    serialiseStrict: strictReply === reply ? serialise : serialiser(strictReply),
    find: declaration.find as Route['find'],
    prepare: declaration.prepare as Route['prepare'],
    worksOutside: declaration.worksOutside ?? false,
    handle: declaration.handle as Route['handle'],
  };
}
