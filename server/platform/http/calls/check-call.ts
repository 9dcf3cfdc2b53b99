import type { TObject, TSchema } from 'typebox';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../../protocol/schema-problems.ts';
import { noSuch, Refusal } from '../refusals.ts';
import { NO_CALLER } from '../auth.ts';
import { fileBodyOf } from '../bodies/file-body.ts';
import { dropUnknown, parseBody } from '../bodies/json-body.ts';
import { readUpload, type Upload } from '../bodies/multipart.ts';
import { servicesOf } from '../request-context.ts';
import type { Route, RouteCall } from '../route.ts';
import { isObject } from '../../../../protocol/outside-json.ts';

const TRUE = new Set(['true', '1']);
const FALSE = new Set(['false', '0']);

/**
 * The query of a request with the types its schema names. Members it does not name are ignored; client
 * libraries write booleans as `true`, `True` and `1` (docs/choices.md, Booleans).
 * @throws Refusal `invalid_field` for text that is not of the member's type.
 */
function parseQuery(schema: TObject, raw: Record<string, unknown>): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(
    schema.properties as Record<string, TSchema & { type?: string }>,
  )) {
    const given = raw[name];
    if (given === undefined || given === '') continue;
    if (member.type === 'array') {
      parsed[name] = Array.isArray(given) ? given : [given];
      continue;
    }
    const text = String(Array.isArray(given) ? given.at(-1) : given);
    if (text.includes('\u0000')) {
      throw new Refusal('invalid_field', { field: name, problem: 'must not contain the character U+0000' });
    }
    parsed[name] = valueOf(name, text, member.type);
  }
  return parsed;
}

function valueOf(name: string, text: string, type: string | undefined): unknown {
  switch (type) {
    case 'integer':
      if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
        throw new Refusal('invalid_field', { field: name, problem: 'must be an integer' });
      return Number(text);
    case 'boolean': {
      const lower = text.toLowerCase();
      if (TRUE.has(lower)) return true;
      if (FALSE.has(lower)) return false;
      throw new Refusal('invalid_field', { field: name, problem: 'must be true or false' });
    }
    default:
      return text;
  }
}

/** The body of a call, as far as it was read. */
export interface ReceivedBody {
  body: unknown;
  upload?: Upload;
}

/**
 * Checks a request and returns the call for the handler of its route: `find`, then query and body.
 * @param received is given the body once it was read, also when it is then refused
 */
export type CheckCall = (
  request: FastifyRequest<{ Params: Record<string, string> }>,
  received: ReceivedBody,
) => Promise<RouteCall>;

/** Returns the checks of the requests to a route. */
export function checkOf(route: Route): CheckCall {
  const { checkQuery, checkBody } = route;

  return async (request, received) => {
    const caller = request.caller ?? NO_CALLER;
    const services = servicesOf(request);
    const { params } = request;
    const given = request.query as Record<string, unknown>;
    dropIgnored(given, route.ignoredInQuery);
    const query = route.query ? parseQuery(route.query, given) : {};
    const found = route.find && (await route.find({ services, caller, params, query }));
    if (route.find && found === undefined) throw noSuch(route.tag);
    if (checkQuery) refuseProblems(checkQuery(query));
    const { body, file } = route.upload
      ? (received.upload ??= await readUpload(request))
      : {
          body: checkBody && parseBody((request.body as string | undefined) ?? '', route.cleared),
          file: undefined,
        };
    received.body = body;
    dropIgnored(body, route.ignoredInBody && ((members) => route.ignoredInBody!(members, found)));
    if (checkBody) refuseProblems(checkBody(body));
    dropUnknown((checkBody && route.body) ?? {}, body);
    return { services, caller, params, query, body, file, content: fileBodyOf(request), found };
  };
}

/** Removes from a body or a query what has no effect in it: that may be malformed. */
function dropIgnored(
  given: unknown,
  ignoredIn: ((given: Record<string, unknown>) => readonly string[]) | undefined,
): void {
  if (!ignoredIn || !isObject(given)) return;
  for (const name of ignoredIn(given)) delete given[name];
}

function refuseProblems(problems: Problem[]): void {
  const problem = problems[0];
  if (problem)
    throw new Refusal('invalid_field', { field: problem.path || 'body', problem: problem.message });
}
