import type { IdKind } from '../../../protocol/ids.ts';
import type { EventType } from '../../api/webhooks/event-types.ts';
import type { Services } from '../../platform/services.ts';
import type { Row } from '../../platform/store/store.ts';
import type { ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';

/** A row of any of the tables of objects. */
export interface ObjectRow extends Row {
  id: string;
}

/** How rows of a type name an object of another type, or of any. */
export interface Reference {
  to: IdKind | 'any';
  /** Column with the id of the other object. */
  column?: string;
  /**
   * SQL condition on the rows that name the object whose id is the parameter: where it is not in a column, or where the
   * column has no index and an index of another one finds the rows.
   */
  where?: string;
  /** Whether the parameter is a pattern for LIKE, because the ids are in JSON text. */
  inText?: boolean;
  /** Whether no index finds the rows that name the object. */
  readWhole?: boolean;
  /** SQL that returns the ids named by the row whose id is the parameter. */
  named?: string;
}

/** The events of an object, or those of them that are about a part of it. */
export interface EventsAbout {
  objectId: string;
  types?: readonly EventType[];
  /** Times at which they were recorded. */
  atMs?: readonly number[];
  /** Id in their bodies. */
  partId?: string;
}

/** A type of objects: where its rows are, and how they are shown. */
export interface ObjectType<R extends ObjectRow = ObjectRow> {
  table: string;
  /** SQL expression of the account that a row belongs to; null for the catalogue, which all accounts share. */
  account: string | null;
  /** Column of the status, where the store has it. */
  status?: string;
  /** Column of the type or category, for types that a list is filtered by. */
  category?: string;
  /** Columns that a search for a text reads. */
  searched: readonly string[];
  /** Whether rows have `created_ms`. True by default. */
  hasTime?: boolean;
  /** SQL condition on the rows that a list shows, such as those that are not deleted. All by default. */
  listed?: string;
  /** Status at creation, where no event or reply shows it. */
  initialStatus?: string;
  references: readonly Reference[];
  /** Objects as the API shows them, without secrets, in the order of the rows. */
  show(services: Services, rows: readonly R[]): Promise<object[]>;
  /** What a person calls it, such as a name or an e-mail address. */
  label?(row: R): string | null;
  /** State of its machine, as a dotted path. */
  state?(row: R, nowMs: number): string;
  /** What happens to it by itself without a job, and when, epoch milliseconds. */
  due?(row: R): { what: string; atMs: number } | null;
  /** Whose jobs are its next moments besides its own. */
  jobsOf?(row: R): string[];
  /** Whose events are its history, where they are not its own. */
  eventsOf?(row: R): EventsAbout;
  /** SQL that returns the origins of its ledger entries, for the id of its row; its own id by default. */
  origins?: string;
  /** Id of its only ledger entry, where its row has it. */
  entryOf?(row: R): string;
  /** Operations that it allows in its present state. */
  actions?(context: ActionContext, row: R): ObjectAction[] | Promise<ObjectAction[]>;
}

/** Declares a type of objects by the rows of its table. */
export function objectType<R extends ObjectRow>(declaration: ObjectType<R>): ObjectType {
  return declaration;
}

/** Returns `show` of a type whose rows are shown one by one, without a query. */
export function shownBy<R extends ObjectRow>(show: (row: R) => object): ObjectType<R>['show'] {
  return async (_services, rows) => rows.map(show);
}

/** Returns where the rows of stored objects are. */
export function tableOf(objects: {
  table: string;
  searched: readonly string[];
  listed: string;
}): Pick<ObjectType, 'table' | 'account' | 'searched' | 'listed'> {
  const { table, searched, listed } = objects;
  return { table, account: 'account_id', searched, listed };
}
