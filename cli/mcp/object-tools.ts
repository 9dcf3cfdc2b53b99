import { Fault } from '../../protocol/failures.ts';
import { Type } from '../../protocol/schema.ts';
import { sandboxInput, tool } from './tool.ts';

const accountInput = Type.Optional(
  Type.String({ description: 'Id of a linked sub account to act for. By default the holder of the key.' }),
);

const getObject = tool({
  name: 'get_object',
  title: 'Get an object',
  description:
    'Returns any object by its id: payment session, customer, subscription, dispute, event, webhook, terminal, action and more.',
  inputs: { id: Type.String({ minLength: 1, maxLength: 100 }), account: accountInput, sandbox: sandboxInput },
  effect: 'read',
  run: async ({ api }, { id, account, sandbox }) => api(sandbox, account).get<object>(await pathOfObject(id)),
});

const listEvents = tool({
  name: 'list_events',
  title: 'List events',
  description:
    'Lists the newest events with their data and the webhooks that received them. For a page further back give startsAfter.',
  inputs: {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '10 by default' })),
    startsAfter: Type.Optional(Type.String({ description: 'paginationToken of the page before' })),
    account: accountInput,
    sandbox: sandboxInput,
  },
  effect: 'read',
  async run({ api }, { limit = 10, startsAfter, account, sandbox }) {
    const after = startsAfter === undefined ? '' : `&startsAfter=${encodeURIComponent(startsAfter)}`;
    return api(sandbox, account).get<object>(`/v1/events?limit=${limit}${after}`);
  },
});

const listRequests = tool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the newest requests that the server received, with status, key and refusal, to see what your code sent. get_object returns one whole, with body, reply and the events that it caused.',
  inputs: {
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5]([0-9]{2}|xx)$',
        description: 'A status, such as 404, or a class, such as 4xx',
      }),
    ),
    objectId: Type.Optional(Type.String({ description: 'Id of an object in its path, body or reply' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '10 by default' })),
    sandbox: sandboxInput,
  },
  effect: 'read',
  async run({ api }, { status, objectId, limit = 10, sandbox }) {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(status !== undefined && { status }),
      ...(objectId !== undefined && { object: objectId }),
    });
    return api(sandbox).get<object>(`/sandbox/requests?${query}`);
  },
});

const callApi = tool({
  name: 'call_api',
  title: 'Call the API',
  description:
    'Calls any operation of the API and returns status and body. A POST needs an idempotencyKey: the same call with the same key is done once and returns the first reply again.',
  inputs: {
    method: Type.Enum(['GET', 'POST', 'PATCH', 'DELETE']),
    path: Type.String({
      pattern: '^/(v1|sandbox)/',
      maxLength: 2000,
      description: 'Path with its query, such as /v1/customers?limit=5. GET /openapi.json describes all.',
    }),
    body: Type.Optional(Type.Unknown({ description: 'Body of the request, as JSON' })),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Use a new one for each POST that you want.',
      }),
    ),
    account: accountInput,
    sandbox: sandboxInput,
  },
  effect: 'once',
  async run({ api }, { method, path, body, idempotencyKey, account, sandbox }) {
    if (method === 'POST' && idempotencyKey === undefined)
      throw new Fault('bad_setting', 'idempotencyKey is required for POST');
    return api(sandbox, account).ask(method, path, body, { idempotencyKey });
  },
});

export const OBJECT_TOOLS = [getObject, listEvents, listRequests, callApi];

interface Shape {
  properties?: { id?: { pattern?: string } };
}

/**
 * Returns the path of the operation that returns an object of this id.
 * @throws Fault `bad_setting` when none does
 */
async function pathOfObject(id: string): Promise<string> {
  // Loaded when needed: the command starts without the server.
  const { ROUTES } = await import('../../server/routes.ts');
  for (const { method, path, reply } of ROUTES) {
    const pattern = (reply as Shape | undefined)?.properties?.id?.pattern;
    if (method !== 'GET' || !pattern || !/^[^{]*\{\w+\}$/.test(path)) continue;
    if (new RegExp(pattern).test(id)) return path.replace(/\{\w+\}$/, encodeURIComponent(id));
  }
  throw new Fault('bad_setting', `no operation returns an object by the id '${id.slice(0, 60)}' alone`);
}
