import { expect, test } from 'vitest';
import { checker } from '../../../../../protocol/schema.ts';
import { bodyExampleOf } from '../../../../../server/platform/http/openapi/request-examples.ts';
import { ROUTES } from '../../../../../server/routes.ts';

const WITH_JSON = ROUTES.filter(({ body, upload, bodyType }) => body && !upload && bodyType === undefined);

test.each(WITH_JSON.map((route) => [route.operation, route] as const))(
  'body example: that of %s fits its schema',
  (_operation, route) => {
    expect(checker(route.body!)(bodyExampleOf(route))).toEqual([]);
  },
);
