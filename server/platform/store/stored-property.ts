import type { Static, TOptional, TSchema } from '../../../protocol/schema.ts';
import type { JsonText } from './json-text.ts';
import type { Row } from './store.ts';

/** A property of an object that has a column. What requests, replies and rows have of it follows from this. */
export interface StoredProperty {
  /** The value, as a request gives it and a reply shows it. Objects and arrays are stored as JSON, booleans as 0 and 1. */
  schema: TSchema;
  column: string;
  /** Whether a request that creates the object must or may have it; a schema where that is not `schema`. */
  create?: 'required' | 'optional' | TSchema;
  /** What an update does with it: `set` changes it, a schema that takes null also clears it. */
  update?: 'set' | TSchema;
  /** The value of a new object that was given none. */
  initial?: unknown;
  /** Whether an object always has it although no request gives it: the server does. */
  always?: true;
  /** Whether a new object never has it, only one that has changed. */
  later?: true;
  /** Whether it never changes, or only by a statement of its own. */
  fixed?: true;
  /**
   * What a reply shows, where that is not `schema`. Of a null column a reply has null when this schema takes null, and
   * else it has no such property.
   */
  reply?: TSchema | 'hidden';
  /** Returns what a reply shows of the stored value, where that is not the value itself. */
  toReply?: (value: never) => unknown;
  /** What a reply shows of a null column, where that is neither null nor nothing. */
  ofNull?: {};
  /** Whether the search of the dashboard reads the column. */
  searched?: true;
  /** Whether the column is epoch milliseconds where the API has a Unix timestamp in seconds. */
  instant?: true;
  /** Whether it is the id of what the object belongs to. Objects without such a property belong to an account. */
  owner?: true;
}

/** A property of a reply that is made of more than its own column, or of a request that is not stored as it is. */
interface ComputedProperty {
  column?: never;
  schema?: never;
  create?: TSchema;
  update?: TSchema;
  reply: TSchema | 'hidden';
}

/** The properties of an object, in the order in which a reply shows them, without its id. */
export type Properties = Readonly<Record<string, StoredProperty | ComputedProperty>>;

type Stored<T> = [T] extends [boolean] ? number : [T] extends [string | number] ? T : JsonText<T>;

type ValueOf<P> = P extends { schema: infer S extends TSchema } ? Static<S> : never;

/** Whether the column of a property can be null. */
export type IsNullable<P> = P extends { create: 'required' } | { always: true } | { initial: {} }
  ? false
  : true;

/** Returns whether the column of a property can be null. */
export function isNullable({ create, always, initial }: Partial<StoredProperty>): boolean {
  return create !== 'required' && !always && initial === undefined;
}

type ColumnValue<P> = Stored<ValueOf<P>> | (IsNullable<P> extends true ? null : never);

type ColumnOf<P> = P extends { column: infer C extends string } ? C : never;

type HasOwner<P> = true extends { [K in keyof P]: P[K] extends { owner: true } ? true : false }[keyof P]
  ? true
  : false;

/** The columns with the times of an object that its table can have besides those of its properties. */
export type TimeColumn = 'created_ms' | 'updated_ms';

/** The row of an object with these properties and times. */
export type RowOf<P extends Properties, T extends TimeColumn = TimeColumn> = Row & { id: string } & {
  [K in T]: number;
} & (HasOwner<P> extends true ? unknown : { account_id: string }) & {
    -readonly [K in keyof P as ColumnOf<P[K]>]: ColumnValue<P[K]>;
  };

type StoredNames<P> = { [K in keyof P]: P[K] extends StoredProperty ? K : never }[keyof P];

type GivenNames<P> = Exclude<StoredNames<P>, 'createdTimestamp' | 'lastUpdatedTimestamp'>;

type NamesWith<P, F extends 'later' | 'fixed'> = {
  [K in keyof P]: P[K] extends { [_ in F]: true } ? K : never;
}[keyof P];

type FirstNames<P> = Exclude<GivenNames<P>, NamesWith<P, 'later'>>;

type NeededNames<P> = {
  [K in keyof P]: P[K] extends { create: 'required' } | { always: true; initial?: never } ? K : never;
}[keyof P];

/** What an object is created with. Instants are epoch milliseconds. */
export type NewOf<P extends Properties> = { id: string } & (HasOwner<P> extends true
  ? unknown
  : { accountId: string }) & {
    [K in Extract<FirstNames<P>, NeededNames<P>>]: ValueOf<P[K]>;
  } & { [K in Exclude<FirstNames<P>, NeededNames<P>>]?: ValueOf<P[K]> | null | undefined };

/** The properties of an object that change, with their new values; null clears. Instants are epoch milliseconds. */
export type ChangeOf<P extends Properties> = {
  [K in Exclude<GivenNames<P>, NamesWith<P, 'fixed'>>]?:
    ValueOf<P[K]> | (IsNullable<P[K]> extends true ? null : never) | undefined;
};

type ComputedNames<P> = {
  [K in keyof P]: P[K] extends { schema: TSchema } | { reply: 'hidden' } ? never : K;
}[keyof P];

type OptionalNames<P> = { [K in keyof P]: P[K] extends { reply: TOptional } ? K : never }[keyof P];

type ComputedValue<P> = P extends { reply: infer S extends TSchema } ? Static<S> : never;

/** The properties of a reply that are made of more than a column. */
export type ComputedOf<P extends Properties> = {
  [K in Exclude<ComputedNames<P>, OptionalNames<P>>]: ComputedValue<P[K]>;
} & { [K in Extract<ComputedNames<P>, OptionalNames<P>>]?: ComputedValue<P[K]> | undefined };

type ShownNames<P> = { [K in keyof P]: P[K] extends { reply: 'hidden' } ? never : K }[keyof P];

type ShownValue<P> = P extends { reply: infer S extends TSchema } ? Static<S> : ValueOf<P>;

type AbsentNames<P> = {
  [K in keyof P]: P[K] extends { reply: TOptional }
    ? K
    : P[K] extends { schema: TSchema; ofNull?: never }
      ? IsNullable<P[K]> extends true
        ? null extends ShownValue<P[K]>
          ? never
          : K
        : never
      : never;
}[keyof P];

/** An object as replies show it. */
export type ShownOf<P extends Properties> = { id: string } & {
  [K in Exclude<ShownNames<P>, AbsentNames<P>>]: ShownValue<P[K]>;
} & { [K in Extract<ShownNames<P>, AbsentNames<P>>]?: ShownValue<P[K]> };
