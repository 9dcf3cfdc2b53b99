import { Type } from '../../../protocol/schema.ts';
import { openApiDocument } from './openapi.ts';
import { route, type Route } from './route.ts';

/** Serves the OpenAPI document of `routes` and of itself. */
export function openApiRoutes(routes: readonly Route[]): Route[] {
  let document: object | undefined;
  const own: Route[] = [
    route({
      operation: 'GET /openapi.json',
      surface: 'open',
      access: 'open',
      tag: 'OpenAPI',
      summary: 'This document',
      section: 'OpenAPI 3.1',
      reply: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI document' }),
      // Made at the first request: not needed to take a payment.
      handle: async () => (document ??= openApiDocument([...routes, ...own])),
    }),
  ];
  return own;
}
