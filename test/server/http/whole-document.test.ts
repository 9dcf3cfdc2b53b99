import { expect, test } from 'vitest';
import { openApiDocument } from '../../../server/http/openapi.ts';
import { allRoutes } from '../../../server/routes.ts';
import type { Route } from '../../../server/http/route.ts';
import { smallServer } from './small-server.ts';

async function servedRoutes(): Promise<Route[]> {
  let routes: Route[] = [];
  await smallServer((services) => (routes = allRoutes(services, undefined)));
  return routes;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string }[];
}

function operationsOf(document: object): Operation[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.values(paths).flatMap((item) => Object.values(item));
}

test('every route is one operation with an id of its own', async () => {
  const routes = await servedRoutes();
  const ids = operationsOf(openApiDocument(routes)).map(({ operationId }) => operationId);
  expect(ids).toHaveLength(routes.length);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every reference leads to a component, and every component is referred to', async () => {
  const document = openApiDocument(await servedRoutes()) as { components: { schemas: object } };
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(document.components.schemas).sort());
});

test('every parameter of a path is declared, once', async () => {
  const document = openApiDocument(await servedRoutes()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  for (const [path, item] of Object.entries(document.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters = [] } of Object.values(item)) {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect([path, declared]).toEqual([path, named]);
    }
  }
});

test('every route cites where it comes from', async () => {
  for (const { operation, section, summary } of await servedRoutes()) {
    expect([operation, section]).not.toEqual([operation, '']);
    expect([operation, summary]).not.toEqual([operation, '']);
  }
});
