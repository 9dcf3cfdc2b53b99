import { EXTENSION_MARK, extensionOfRefusal } from '../extensions.ts';
import { REFUSALS, type RefusalName } from '../refusals.ts';
import { takesIdempotencyKey, type Route } from '../route.ts';

/** The refusals that a route can give: its own and those of every route of its kind. */
export function refusalsOf(route: Route): RefusalName[] {
  const names: RefusalName[] = [];
  if (route.access !== 'open') names.push('no_credentials', 'bad_key', 'key_not_alone');
  if (route.access !== 'open' && route.access !== 'public') names.push('public_key');
  if (route.access === 'host' || route.access === 'hostDashboard') names.push('not_the_host_key');
  if (route.accountHeader) names.push('account_malformed', 'account_not_linked');
  if (route.surface === 'v1' && route.access !== 'open') names.push('rate_exceeded');
  if (takesIdempotencyKey(route))
    names.push('idempotency_key_length', 'idempotency_key_reused', 'idempotency_key_in_use');
  if (route.path.includes('{')) names.push('undecodable_path');
  if (route.find) names.push('not_found');
  if (route.query || route.body) names.push('invalid_field');
  if (route.upload)
    names.push('not_multipart', 'bad_multipart', 'content_encoding', 'body_too_large', 'body_too_deep');
  else if (route.checkBody)
    names.push('not_json', 'unsupported_media', 'content_encoding', 'body_too_large', 'body_too_deep');
  names.push(...route.refusals, 'fault', 'store_failed');
  return [...new Set(names)];
}

const REQUEST_ID = '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

/** Returns an example response for each refusal of the routes; its parameters are in braces. */
export function refusalExamples(routes: readonly Route[]): Record<string, object> {
  const names = [...new Set(routes.flatMap(refusalsOf))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const { status, code, message } = REFUSALS[name];
      const value = { requestId: REQUEST_ID, code: String(status), errors: [{ code, message }] };
      return [name, { summary: message, value }];
    }),
  );
}

/** Returns the responses of a route that report an error, by status. */
export function refusalResponses(route: Route): Record<string, object> {
  const byStatus: Record<string, { description: string; lines: RefusalName[] }> = {};
  for (const name of refusalsOf(route)) {
    const { status, code, message, section } = REFUSALS[name];
    const extension = route.surface === 'v1' ? extensionOfRefusal(name) : undefined;
    const source = extension ? `extension ${extension}` : section;
    const line = `- \`${code}\`: ${message} (${source})`;
    const response = (byStatus[status] ??= { description: '', lines: [] });
    response.description += response.description === '' ? line : `\n${line}`;
    response.lines.push(name);
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, { description, lines }]) => {
      const examples = Object.fromEntries(
        lines.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
      );
      const schema = { $ref: '#/components/schemas/ErrorEnvelope' };
      const content = { 'application/json': { schema, examples } };
      return [status, { description, ...extensionMark(route, lines), content }];
    }),
  );
}

/** Marks a status of /v1 that nothing but an extension has. */
function extensionMark({ surface }: Route, lines: readonly RefusalName[]): object {
  const extensions = lines.map(extensionOfRefusal);
  if (surface !== 'v1' || extensions.includes(undefined)) return {};
  return { [EXTENSION_MARK]: extensions[0] };
}
