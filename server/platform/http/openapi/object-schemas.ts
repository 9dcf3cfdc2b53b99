import type { TObject, TOptional, TString } from 'typebox';
import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  takesNull,
  Type,
  type Static,
  type TSchema,
} from '../../../../protocol/schema.ts';
import type { IdKind } from '../../../../protocol/ids.ts';
import {
  isNullable,
  type IsNullable,
  type Properties,
  type StoredProperty,
} from '../../store/stored-property.ts';

type SchemaOf<P> = P extends { schema: infer S extends TSchema } ? S : never;

type Required<P> = {
  -readonly [K in keyof P as P[K] extends { create: 'required' } ? K : never]: SchemaOf<P[K]>;
};
type Given<P> = {
  -readonly [K in keyof P as P[K] extends { create: 'optional' } ? K : never]: TOptional<SchemaOf<P[K]>>;
};
// 'required' and 'optional' would be of the type `TSchema`, which has no property of its own.
type Requested<P> = {
  -readonly [K in keyof P as P[K] extends { create: string } | { create?: never } ? never : K]: P[K] extends {
    create: infer S extends TSchema;
  }
    ? S
    : never;
};
type Changed<P> = {
  -readonly [K in keyof P as P[K] extends { update: unknown } ? K : never]: TOptional<ChangedBy<P[K]>>;
};
// `TSchema` has no property of its own, so that 'set' would be one.
type ChangedBy<P> = P extends { update: 'set' }
  ? SchemaOf<P>
  : P extends { update: infer S extends TSchema }
    ? S
    : never;

type NullAbsent<P, S extends TSchema> = P extends { ofNull: {} }
  ? S
  : IsNullable<P> extends true
    ? TOptional<S>
    : S;
type Shown<P> = P extends { reply: infer S extends TSchema }
  ? P extends { schema: TSchema }
    ? null extends Static<S>
      ? S
      : NullAbsent<P, S>
    : S
  : NullAbsent<P, SchemaOf<P>>;

/** The properties of a reply, without the id. */
type ReplyProperties<P extends Properties> = {
  -readonly [K in keyof P as P[K] extends { reply: 'hidden' } ? never : K]: Shown<P[K]>;
};

/** The stored time at which an object was created. */
export const CREATED = {
  schema: CreatedTimestamp,
  column: 'created_ms',
  instant: true,
  always: true,
} as const satisfies StoredProperty;

/** The stored time at which an object last changed. */
export const UPDATED = {
  schema: LastUpdatedTimestamp,
  column: 'updated_ms',
  instant: true,
  always: true,
} as const satisfies StoredProperty;

/** Returns the stored metadata of an object: at most so many entries, none for a new one. */
export function metadataProperty(entriesMax: number) {
  return {
    schema: Metadata(entriesMax),
    column: 'metadata',
    create: 'optional',
    update: 'set',
    initial: {},
    searched: true,
  } as const satisfies StoredProperty;
}

/** Returns the schema of an object as replies show it, with its id first. */
export function ObjectSchema<const P extends Properties>(
  kind: IdKind,
  properties: P,
  about: { title: string; description: string },
): TObject<{ id: TString } & ReplyProperties<P>> {
  const shown = Object.entries(properties).flatMap(([name, property]) =>
    property.reply === 'hidden' ? [] : [[name, replySchema(property)]],
  );
  return Type.Object({ id: Id(kind), ...Object.fromEntries(shown) }, about) as never;
}

/** Returns the schema of a request that creates an object. */
export function CreateSchema<const P extends Properties>(
  properties: P,
): TObject<Required<P> & Given<P> & Requested<P>> {
  const given = Object.entries(properties).flatMap(([name, { schema, create }]: [string, Declared]) => {
    if (create === undefined) return [];
    if (typeof create !== 'string') return [[name, create]];
    return [[name, create === 'required' ? schema! : Type.Optional(schema!)]];
  });
  return Type.Object(Object.fromEntries(given)) as never;
}

/** Returns the schema of a request that updates an object. */
export function UpdateSchema<const P extends Properties>(properties: P): TObject<Changed<P>> {
  const changed = Object.entries(properties).flatMap(([name, { schema, update }]: [string, Declared]) => {
    if (update === undefined) return [];
    return [[name, Type.Optional(update === 'set' ? schema! : update)]];
  });
  return Type.Object(Object.fromEntries(changed)) as never;
}

type Declared = Partial<StoredProperty>;

function replySchema(property: Declared): TSchema {
  const schema = (property.reply as TSchema | undefined) ?? property.schema!;
  if (property.schema === undefined || takesNull(schema) || !isNullable(property) || property.ofNull)
    return schema;
  return Type.Optional(schema);
}
