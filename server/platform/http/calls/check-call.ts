import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../../protocol/schema-problems.ts';
import { NO_CALLER } from '../auth.ts';
import { fileBodyOf } from '../bodies/file-body.ts';
import { dropUnknown, parseBody } from '../bodies/json-body.ts';
import { readUpload, type Upload } from '../bodies/multipart.ts';
import { parseQuery } from '../query.ts';
import { Refusal } from '../refusals.ts';
import { servicesOf } from '../request-context.ts';
import type { Route, RouteCall } from '../route.ts';

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
    if (route.find && found === undefined) throw new Refusal('not_found', { what: route.tag.toLowerCase() });
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
  if (!ignoredIn || typeof given !== 'object' || given === null) return;
  const members = given as Record<string, unknown>;
  for (const name of ignoredIn(members)) delete members[name];
}

function refuseProblems(problems: Problem[]): void {
  const problem = problems[0];
  if (problem)
    throw new Refusal('invalid_field', { field: problem.path || 'body', problem: problem.message });
}
