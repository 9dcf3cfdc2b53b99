import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { OBJECT_TYPE_NAMES } from '../../server/sandbox-controls/objects/object-types.ts';
import { ROUTES } from '../../server/routes.ts';
import type { Api } from '../../testing/world/api.ts';
import { openTill } from '../../testing/world/till.ts';
import type { World } from '../../testing/world/world.ts';
import { openCheckout } from '../kit/checkout.ts';
import { openPage } from '../server/dashboard/open-page.ts';
import { good, type Json } from './one-of-each.ts';

/** What is asked for: ids of what there is, by what has them. */
interface Known {
  accountId: string;
  terminalId: string;
  actionId: string;
  sessionId: string;
  eventId: string;
  endpointId: string;
  faultPlanId: string;
  certificateId: string;
}

/** Reads everything that /sandbox and the dashboard show: each list with each filter and a second page, and each object. */
export async function everySandboxRead(world: World, onList: (path: string) => void): Promise<void> {
  const { api } = world;
  const known = await prepare(world);
  const asked = new Set<string>();
  const read = async (path: string) => {
    asked.add(path.split('?')[0]!);
    onList(`GET ${path}`);
    const answer = await api.get(path);
    return good(answer);
  };
  const objects = await everyObject(read, known);
  await everySearch(read, objects);
  await everyLog(read, known);
  for (const [list, member] of OBJECTS_BY_ID(known)) {
    await read(list);
    if (member !== undefined) await read(`${list}/${member}`);
  }
  await read(`/sandbox/actions/${known.actionId}`);
  await read(`/sandbox/actions/${known.actionId}/receipt`);
  await read('/sandbox/clock');
  expectAll(asked);
  await everyDashboardRead(world, known);
}

const OBJECTS_BY_ID = (known: Known): [string, string?][] => [
  ['/sandbox/terminals', known.terminalId],
  ['/sandbox/accounts'],
  ['/sandbox/webhooks'],
  ['/sandbox/faults', known.faultPlanId],
  ['/sandbox/recordings'],
  ['/sandbox/certificates', known.certificateId],
  [`/sandbox/certificates/${known.certificateId}/answers`],
  [`/sandbox/certificates/${known.certificateId}/cases/a/trace`],
];

type Read = (path: string) => Promise<Json>;

// A recording begins with a copy of every row.
const COPIES_ALL = 'GET /sandbox/recordings/{id}/file';

/** @throws Error for a route of /sandbox that reads and was not called */
function expectAll(asked: ReadonlySet<string>): void {
  const left = ROUTES.filter(({ surface, method }) => surface === 'sandbox' && method === 'GET')
    .filter(({ access }) => access === 'secret' || access === 'dashboard')
    .filter(({ operation }) => operation !== COPIES_ALL)
    .filter(({ path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return ![...asked].some((each) => pattern.test(each));
    });
  if (left.length > 0) throw new Error(`not read: ${left.map(({ operation }) => operation).join(', ')}`);
}

/** Begins a certificate whose case has a trace. */
async function certificate(api: Api): Promise<string> {
  const plan = { kind: 'device', name: 'SIM-0001', cases: [{ id: 'a', title: 'A payment', rules: [] }] };
  const { id } = good(await api.post('/sandbox/certificates', plan));
  const type = { 'content-type': 'application/gzip' };
  good(await api.raw('POST', `/sandbox/certificates/${id}/cases/a/trace`, Buffer.from([31, 139]), type));
  return id;
}

/** A request whose reply a fault takes away. */
const STRUCK = 'GET /v1/conversions/rate';

/** Has everything that is read below at least twice, so that each list has a second page. */
async function prepare(world: World): Promise<Known> {
  const { api, platformId } = world;
  for (const name of ['shop', 'books']) {
    const { url } = world.receivers.open(name);
    good(await api.post('/v1/webhooks', { url, active: true, eventTypes: EVENT_TYPE_NAMES }));
  }
  const till = openTill(world, await world.addTerminal());
  const faults = {
    title: 'lost replies',
    faults: [{ at: 'api.reply', what: 'reset', when: { operation: STRUCK } }],
  };
  const certificateId = await certificate(api);
  const faultPlanId = good(await api.post('/sandbox/faults', faults)).id;
  await api
    .get('/v1/conversions/rate?sellCurrency=EUR&sellAmount=500&buyCurrency=GBP')
    .catch(() => undefined);
  for (const key of ['one', 'two'])
    await api.raw('POST', '/v1/customers', JSON.stringify({ email: `${key}@example.com` }), {
      'idempotency-key': key,
      'content-type': 'application/json',
    });
  const session = await till.takes(1742);
  await till.takes(1742);
  await world.settled();
  for (const amount of [100, 200])
    good(
      await api.post('/v1/transfers', {
        amount,
        currency: 'EUR',
        destination: { accountId: world.subAccountId },
      }),
    );
  const shop = openCheckout(api.as(world.subAccountId));
  for (const amount of [500, 600])
    good(
      await shop.move(await shop.captured({ amount: 2_000, platformFee: 100 }), 'refunds', {
        amount,
        refundPlatformFee: true,
      }),
    );
  const { items: events } = good(await api.get('/v1/events?limit=1'));
  const { items: webhooks } = good(await api.get('/v1/webhooks?limit=1'));
  return {
    accountId: platformId,
    terminalId: till.terminal.terminalId,
    actionId: (await till.action()).id,
    sessionId: session.id,
    eventId: events[0].id,
    endpointId: webhooks[0].id,
    faultPlanId,
    certificateId,
  };
}

/** Asks a list with each filter, from both ends, and for the page after the first item. */
async function everyFilter(read: Read, list: string, filters: readonly string[]): Promise<Json[]> {
  const [path, always = ''] = list.split('?');
  let found: Json[] = [];
  for (const asked of ['', ...filters]) {
    const page = (more: string) => read(`${path}?${[always, asked, more].filter(Boolean).join('&')}`);
    const { items } = await page('limit=1');
    if (asked === '') found = items;
    const [after = found[0]] = items;
    if (!after) throw new Error(`empty: ${list}`);
    const second = await page(`limit=1&startsAfter=${after.id}`);
    if (asked !== '') continue;
    if (second.items.length === 0) throw new Error(`no second page: ${list}`);
    await page('limit=1&ascending=true');
    await page(`limit=1&ascending=true&startsAfter=${after.id}`);
  }
  return found;
}

/** Returns the newest object of each type. */
async function everyObject(read: Read, { accountId, sessionId, terminalId }: Known): Promise<Json[]> {
  const objects: Json[] = [];
  const filters = [
    'startTimestamp=1',
    'endTimestamp=4102444800',
    'status=Captured',
    'category=Evidence',
    'text=example',
    `account=${accountId}`,
    `object=${accountId}`,
    `object=${sessionId}`,
    `historyOf=${sessionId}`,
    `object=${terminalId}`,
    `historyOf=${terminalId}`,
  ];
  for (const type of OBJECT_TYPE_NAMES) {
    const [newest] = await everyFilter(read, `/sandbox/objects?type=${type}`, filters);
    if (newest) objects.push(await read(`/sandbox/objects/${newest.id}`));
  }
  const { items } = await read('/sandbox/objects?type=balance');
  objects.push(await read(`/sandbox/objects/${items[0].id}`));
  return objects;
}

const SPLIT_ID = 'sp_01J9Z6M1N2P3Q4R5S6T7V8W9XA';

/** Searches for the id of each object, and for the other texts by which something is found. */
async function everySearch(read: Read, objects: readonly Json[]): Promise<void> {
  const { items: requests } = await read('/sandbox/requests?limit=1');
  const texts = ['kim@example.com', 'A920-0001', SPLIT_ID, requests[0].id];
  for (const text of [...objects.map(({ id }) => id), ...texts])
    await read(`/sandbox/search?text=${encodeURIComponent(text)}`);
}

/** Reads the log of requests and the deliveries. */
async function everyLog(read: Read, { accountId, sessionId, eventId, endpointId }: Known): Promise<void> {
  const requests = await everyFilter(read, '/sandbox/requests', [
    'status=200',
    'status=2xx',
    'status=none',
    'method=POST',
    'path=customers',
    'text=example',
    `object=${sessionId}`,
    `historyOf=${sessionId}`,
    'idempotencyKey=used',
    `account=${accountId}`,
  ]);
  await read(`/sandbox/requests/${requests[0].id}`);
  const deliveries = await everyFilter(read, '/sandbox/deliveries', [
    'status=Delivered',
    'reply=200',
    'reply=2xx',
    'reply=none',
    'text=example',
    'event=Payment',
    `event=${eventId}`,
    `object=${sessionId}`,
    `endpoint=${endpointId}`,
    'endpoint=shop',
  ]);
  await read(`/sandbox/deliveries/${deliveries[0].id}`);
}

/** Reads what only the dashboard asks for. */
async function everyDashboardRead(world: World, { terminalId, actionId, sessionId }: Known): Promise<void> {
  const actions = `/dashboard/terminals/${terminalId}/actions`;
  const { items } = await readPage(world.api, actions);
  await readPage(world.api, `${actions}?before=${items[0].id}`);
  await readPage(world.api, `/dashboard/actions/${actionId}`);
  await openPage(world, { kind: 'terminal', id: terminalId });
  await openPage(world, { kind: 'action', id: actionId });
  await openPage(world, { kind: 'object', id: sessionId });
}

const readPage = async (api: Api, path: string): Promise<Json> => good(await api.get(path));
