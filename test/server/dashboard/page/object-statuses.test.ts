import { expect, test } from 'vitest';
import { OBJECT_STATUSES } from '../../../../server/dashboard/page/objects/object-statuses.ts';
import { openApiDocument } from '../../../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../../../server/routes.ts';
import { OBJECT_TYPES } from '../../../../server/sandbox-controls/objects/object-types.ts';
import type { ObjectType } from '../../../../server/sandbox-controls/objects/object-type.ts';

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
