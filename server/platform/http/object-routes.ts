import type { TObject } from 'typebox';
import type { IdKind } from '../../../protocol/ids.ts';
import { Id, Type, type Static, type TSchema } from '../../../protocol/schema.ts';
import type { GuardName } from '../store/guards.ts';
import type { PageSource } from '../store/page-source.ts';
import type { Row, Transaction } from '../store/store.ts';
import { Page, PageQuery } from './paging.schema.ts';
import { readPage } from './paging.ts';
import type { ParamNames } from './path-params.ts';
import { noSuch, type RefusalName } from './refusals.ts';
import { route, type FindContext, type Route, type RouteAbout } from './route.ts';

/** What `list` and `showAll` of a list are given. */
type ListCall<O extends string, Q extends TObject, Found> = FindContext<ParamNames<O>, Static<Q>> & {
  /** What `find` found. */
  found: Found;
};

interface ListParts<
  O extends `GET /${string}`,
  T extends TSchema,
  Q extends TObject,
  Found,
> extends RouteAbout<O> {
  /** The query, when it has more than that of a page. */
  query?: Q;
  /** What the list is of. */
  item: T;
  /** The refusals besides that of an unknown token. */
  refusals?: readonly RefusalName[];
  find?: (call: FindContext<ParamNames<O>, Static<Q>>) => Promise<Found | undefined>;
  /** Returns the rows that the list covers. */
  list: (call: ListCall<O, Q, Found>) => PageSource;
}

type Shown<O extends string, T extends TSchema, R extends Row, Q extends TObject, Found> =
  | {
      /** Returns the object of a row. */
      show: (row: R) => Static<T>;
      showAll?: never;
    }
  | {
      show?: never;
      /** Returns the objects of the rows of a page, where `show` does not have all that they need. */
      showAll: (rows: R[], call: ListCall<O, Q, Found>) => Static<T>[] | Promise<Static<T>[]>;
    };

/** Declares an operation that lists objects, a page at a time. It has `show` or `showAll`. */
export function listRoute<
  const O extends `GET /${string}`,
  T extends TSchema,
  R extends Row,
  Q extends TObject = typeof PageQuery,
  Found = undefined,
>(declaration: ListParts<O, T, Q, Found> & Shown<O, T, R, Q, Found>): Route {
  const { query, item, refusals = [], list, show, showAll, ...about } = declaration;
  return route<O, TSchema, Q, TSchema, Found>({
    ...about,
    query: query ?? (PageQuery as never),
    reply: Page(item),
    refusals: ['unknown_token', ...refusals],
    async handle(call) {
      const { rows, paginationToken } = await readPage<R>(call.services.store, list(call), call.query);
      const items = showAll ? await showAll(rows, call) : rows.map((row) => show(row));
      return { items, paginationToken };
    },
  });
}

interface DeleteDeclaration<
  O extends `DELETE /${string}`,
  Found extends { id: string },
> extends RouteAbout<O> {
  kind: IdKind;
  refusals?: readonly RefusalName[];
  find: (call: FindContext<ParamNames<O>>) => Promise<Found | undefined>;
  /** What holds the rules that `remove` relies on; none unless given. */
  guardedBy?: readonly GuardName[];
  /** Deletes the object; returns false when it was already deleted. */
  remove: (tx: Transaction, found: Found, nowMs: number) => Promise<boolean>;
}

/** Declares an operation that deletes an object, and returns its id. */
export function deleteRoute<const O extends `DELETE /${string}`, Found extends { id: string }>(
  declaration: DeleteDeclaration<O, Found>,
): Route {
  const { kind, guardedBy = [], remove, ...about } = declaration;
  return route({
    ...about,
    reply: Type.Object({ id: Id(kind) }),
    async handle({ services: { clock, store }, found }) {
      const deleted = await store.transaction((tx) => remove(tx, found, clock.nowMs()), { guardedBy });
      if (!deleted) throw noSuch(about.tag);
      return { id: found.id };
    },
  });
}
