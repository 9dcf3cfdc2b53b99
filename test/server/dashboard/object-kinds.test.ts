import { expect, test } from 'vitest';
import {
  OBJECT_KINDS,
  OBJECT_STATUSES,
  TONES,
  toneOf,
} from '../../../server/dashboard/page/objects/object-kinds.ts';
import { openApiDocument } from '../../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../../server/routes.ts';
import { OBJECT_TYPE_NAMES, OBJECT_TYPES } from '../../../server/sandbox-controls/objects/object-types.ts';
import type { ObjectType } from '../../../server/sandbox-controls/objects/object-type.ts';

/** Types whose schema has another name. */
const SCHEMAS: Record<string, string> = { transaction: 'PaymentTransaction' };

interface Document {
  components: { schemas: Record<string, { properties: { status?: { enum?: string[] } } }> };
}

test('object statuses: each type that stores a status offers those of its schema, and no other type offers any', () => {
  const document = openApiDocument(ROUTES.filter(({ surface }) => surface === 'v1')) as unknown as Document;
  const stored = Object.entries<ObjectType>(OBJECT_TYPES).filter(([, { status }]) => status !== undefined);
  const declared = stored.map(([type]) => {
    const name = SCHEMAS[type] ?? type[0]!.toUpperCase() + type.slice(1);
    return [type, document.components.schemas[name]?.properties.status?.enum];
  });
  expect(OBJECT_STATUSES).toEqual(Object.fromEntries(declared));
});

test('OBJECT_KINDS: has every type of /sandbox/objects', () => {
  expect(Object.keys(OBJECT_KINDS).toSorted()).toEqual([...OBJECT_TYPE_NAMES, 'balance'].toSorted());
});

const GREY = ['Cancelled', 'Ended', 'Expired', 'Recalled', 'Unverified', 'Voided'];

interface Schema {
  enum?: string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** Returns the statuses of all objects with an id in a part of the document of the API. */
function statusesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties } = part as Schema;
  const own = properties?.['id'] && properties['status'] ? wordsOf(properties['status']) : [];
  return [...own, ...Object.values(part).flatMap(statusesIn)];
}

function wordsOf({ enum: words = [], anyOf = [] }: Schema): string[] {
  return [...words, ...anyOf.flatMap(wordsOf)];
}

test('object status: what succeeded, waits and failed has a colour each, and the end without either is grey', () => {
  expect(['Captured', 'Won', 'Active'].map(toneOf)).toEqual(['good', 'good', 'good']);
  expect(['PendingAction', 'Challenged'].map(toneOf)).toEqual(['warn', 'warn']);
  expect(['Declined', 'PastDue'].map(toneOf)).toEqual(['bad', 'bad']);
  expect(['Voided', 'Ended', 'constructor'].map(toneOf)).toEqual(['', '', '']);
});

test('object status: every status of the API has a colour or is listed as grey, and the table has no other', () => {
  const document = openApiDocument(ROUTES.filter(({ surface }) => surface === 'v1'));
  const statuses = new Set(statusesIn(document));
  expect([...statuses].toSorted()).toEqual([...Object.keys(TONES), ...GREY].toSorted());
});
