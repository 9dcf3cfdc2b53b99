import { Fault } from '../../protocol/failures.ts';
import { Type } from '../../protocol/schema.ts';
import { RequestQuery } from '../../server/platform/request-log/request.schema.ts';
import { ObjectQuery, SearchQuery } from '../../server/sandbox-controls/objects/object.schema.ts';
import { replyOf } from '../client/api-client.ts';
import { listedBy, pageInputs, sandboxInput, tool, wholeInput } from './tool.ts';

const { type, status, category, object, historyOf, text } = ObjectQuery.properties;

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
  async run({ api }, { id, account, sandbox }) {
    const client = api(sandbox, account);
    const path = await pathOfObject(id);
    return replyOf(client, { method: 'GET', path }, await client.ask('GET', path)) as object;
  },
});

const listEvents = tool({
  name: 'list_events',
  title: 'List events',
  description:
    'Lists the newest events; as a whole with their data and the webhooks that received them, which get_object returns too. For a page further back give startsAfter.',
  inputs: { ...pageInputs, whole: wholeInput, account: accountInput, sandbox: sandboxInput },
  effect: 'read',
  async run({ api }, { account, sandbox, whole, ...page }) {
    const list = await api(sandbox, account).call('GET /v1/events', { query: page });
    const items = list.items.map((event) => {
      const { id: objectId = null }: { id?: unknown } = event.data;
      return { ...event, objectId };
    });
    return listedBy(
      { ...list, items },
      ['id', 'eventType', 'objectId', 'createdTimestamp', 'deliveryStatus'],
      whole,
    );
  },
});

const listRequests = tool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the newest requests that the server received, with status, key and refusal, to see what your code sent. get_object returns one whole, with body, reply and the events that it caused.',
  inputs: {
    status: RequestQuery.properties.status,
    object: RequestQuery.properties.object,
    ...pageInputs,
    whole: wholeInput,
    sandbox: sandboxInput,
  },
  effect: 'read',
  run: async ({ api }, { sandbox, whole, ...filters }) =>
    listedBy(
      await api(sandbox).call('GET /sandbox/requests', { query: filters }),
      ['id', 'method', 'path', 'status', 'refusal', 'createdTimestamp'],
      whole,
    ),
});

const listObjects = tool({
  name: 'list_objects',
  title: 'List objects',
  description: 'Lists the newest objects of a type, of all accounts.',
  inputs: {
    type,
    status,
    category,
    object,
    historyOf,
    text,
    ...pageInputs,
    whole: wholeInput,
    sandbox: sandboxInput,
  },
  effect: 'read',
  run: async ({ api }, { sandbox, whole, ...filters }) =>
    listedBy(
      await api(sandbox).call('GET /sandbox/objects', { query: filters }),
      ['id', 'label', 'status', 'amount', 'currency', 'createdTimestamp'],
      whole,
    ),
});

const getHistory = tool({
  name: 'get_object_history',
  title: 'Get the history of an object',
  description:
    'Returns an object of any type with the objects that it names and is named by, its statuses, its events, the requests about it and its entries in the ledger.',
  inputs: { id: Type.String({ minLength: 1, maxLength: 100 }), sandbox: sandboxInput },
  effect: 'read',
  run: ({ api }, { id, sandbox }) => api(sandbox).call('GET /sandbox/objects/{id}', { params: { id } }),
});

const searchObjects = tool({
  name: 'search',
  title: 'Search',
  description:
    'Finds what has an id, also of a stored request, the requestId of an error, a serial number of a terminal or an e-mail address.',
  inputs: { ...SearchQuery.properties, sandbox: sandboxInput },
  effect: 'read',
  run: ({ api }, { sandbox, ...query }) => api(sandbox).call('GET /sandbox/search', { query }),
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
  async run({ api, begun }, { method, path, body, idempotencyKey, account, sandbox }) {
    if (method !== 'POST') return api(sandbox, account).ask(method, path, body);
    if (idempotencyKey === undefined) throw new Fault('bad_setting', 'idempotencyKey is required for POST');
    return begun.callOnce(`${sandbox ?? ''} ${idempotencyKey}`, { path, body, account }, () =>
      // Where keys always work, the server repeats its reply for another process of this command too.
      api(sandbox, account).ask('POST', path, body, {
        untilEnd: true,
        ...(!path.startsWith('/v1/') && { idempotencyKey }),
      }),
    );
  },
});

export const OBJECT_TOOLS = [
  getObject,
  getHistory,
  listObjects,
  searchObjects,
  listEvents,
  listRequests,
  callApi,
];

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
