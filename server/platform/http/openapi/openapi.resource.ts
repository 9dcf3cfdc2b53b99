import { Type } from '../../../../protocol/schema.ts';
import type { Mode } from '../../settings.ts';
import { openApiDocument } from './openapi.ts';
import { documentedIn, route, type Route } from '../route.ts';

/** The route that serves the OpenAPI document of `routes`, which this route is one of. */
export function openApiRoute(routes: () => readonly Route[]): Route {
  const documents = new Map<Mode, object>();
  return route({
    operation: 'GET /openapi.json',
    surface: 'open',
    access: 'open',
    tag: 'OpenAPI',
    summary: 'Retrieve this document',
    section: 'OpenAPI 3.1',
    reply: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI document' }),
    async handle({ services: { settings } }) {
      const { mode } = settings;
      // Made at the first request: not needed to take a payment.
      const document = documents.get(mode) ?? openApiDocument(documentedIn(mode, routes()));
      documents.set(mode, document);
      return document;
    },
  });
}
