import type { TObject } from 'typebox';
import type { Static, TSchema } from '../../../protocol/schema.ts';
import type { Access, Caller } from './auth.ts';
import type { UploadedFile } from './multipart.ts';
import type { RefusalName } from './refusals.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Where a route lives: `v1` is the API itself, under /v1 and its rate limit; `sandbox` are the controls of the
 * world around it, absent with live keys; `pairing` gives terminals their credentials; `open` needs no key.
 */
export type Surface = 'v1' | 'sandbox' | 'pairing' | 'open';

export interface Call<Body, Query, Found> {
  caller: Caller;
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The file of an upload. */
  file: UploadedFile | undefined;
  /** What `find` found. */
  found: Found;
}

interface Declaration<B extends TSchema, Q extends TObject, R extends TSchema, Found> {
  /** Method and path as the specification prints them, without the /v1 prefix. */
  operation: `${Method} /${string}`;
  surface?: Surface;
  /** The area it is listed under in the OpenAPI document. */
  tag: string;
  summary: string;
  section: string;
  access?: Access;
  /** Whether the Account header chooses a linked sub account. */
  accountHeader?: boolean;
  query?: Q;
  body?: B;
  /** The body is a form (multipart/form-data) with a file; `body` is the schema of its texts. */
  upload?: boolean;
  /** Members of the body that null clears; elsewhere null is absent (docs/choices.md, Null). */
  cleared?: readonly string[];
  reply: R;
  /** HTTP status of success: 202 for captures, voids and refunds, 200 for all else. */
  status?: 200 | 202;
  /** The refusals of this route beyond those of every route, for the OpenAPI document. */
  refusals?: readonly RefusalName[];
  /** Still served, and not to be called any more (Spec §9). */
  deprecated?: boolean;
  /**
   * Finds what the path names, before the body is looked at: existence is refused first
   * (docs/choices.md, Order of refusals). Undefined is answered with 404.
   */
  find?(call: {
    caller: Caller;
    params: Record<string, string>;
    query: Static<Q>;
  }): Promise<Found | undefined>;
  handle(call: Call<Static<B>, Static<Q>, Found>): Promise<Static<R>>;
}

/** A declared route, its types forgotten: what the server serves and the OpenAPI document shows. */
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
  cleared: readonly string[];
  reply: TSchema;
  status: 200 | 202;
  refusals: readonly RefusalName[];
  deprecated: boolean;
  find:
    | ((call: { caller: Caller; params: Record<string, string>; query: unknown }) => Promise<unknown>)
    | undefined;
  handle(call: Call<unknown, unknown, unknown>): Promise<unknown>;
}

/** The routes that there are in a mode: with live keys nobody controls the world (Spec §1). */
export function routesIn(mode: 'sandbox' | 'live', routes: readonly Route[]): Route[] {
  return routes.filter(({ surface }) => mode === 'sandbox' || surface !== 'sandbox');
}

/** Declares one operation: who may call it, what it takes, what it answers, and what it does. */
export function route<
  B extends TSchema = TSchema,
  Q extends TObject = TObject,
  R extends TSchema = TSchema,
  Found = undefined,
>(declaration: Declaration<B, Q, R, Found>): Route {
  const { operation, surface = 'v1' } = declaration;
  const [method, path] = operation.split(' ') as [Method, string];
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
    query: declaration.query,
    body: declaration.body,
    upload: declaration.upload ?? false,
    cleared: declaration.cleared ?? [],
    reply: declaration.reply,
    status: declaration.status ?? 200,
    refusals: declaration.refusals ?? [],
    deprecated: declaration.deprecated ?? false,
    find: declaration.find as Route['find'],
    handle: declaration.handle as Route['handle'],
  };
}
