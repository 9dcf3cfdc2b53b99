import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ID_FORMS } from '../../../protocol/ids.ts';
import { ROUTES } from '../../../server/routes.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import type { Answer } from '../../../testing/world/api.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { encodeForm } from '../../../testing/world/api.ts';
import { uploadForm } from '../../kit/form.ts';
import { prepareWorlds } from '../../kit/prepared-worlds.ts';
import type { World } from '../../../testing/world/world.ts';
import { BUSINESS, earn, EARNED_MINUTES, good, oneOfEach } from '../../journeys/one-of-each.ts';
import { STATE_REFUSALS } from './reference-refusals.ts';

/** Ids by the parameter of the path, or for `id` its folder, and by the prefix of the id. */
type Ids = Record<string, string>;

/** A sandbox with one object of each type. */
const worlds = prepareWorlds<Ids>(async (world) => {
  const { api, platformId, subAccountId } = world;
  const ours = await earn(world, platformId);
  const theirs = await earn(world, subAccountId);
  await world.advance({ minutes: EARNED_MINUTES });
  const { id: employer } = good(await api.post('/v1/accounts', BUSINESS));
  const own = await oneOfEach(world, platformId, ours.payoutMethodId, employer);
  const branch = await oneOfEach(world, subAccountId, theirs.payoutMethodId, subAccountId);
  await world.listen('shop', ['Customer.created']);
  good(await api.post('/v1/customers', { email: 'kim@corner.example' }));
  await world.settled();
  const latest = async (path: string) => good(await api.get(path)).items[0].id as string;
  const open = await openCheckout(api).session();
  const hosted = { onboardingFlow: 'Hosted', email: 'sam@example.com' };
  const { id: hostedId } = good(await api.post('/v1/accounts', hosted));
  const transfer = { amount: 100, currency: 'EUR', destination: { accountId: subAccountId } };
  const ids: Ids = {
    ...(own as unknown as Ids),
    // What only a sub account has.
    accounts: subAccountId,
    personId: branch.personId,
    payoutMethodId: branch.payoutMethodId,
    'payout-methods': branch.payoutMethodId,
    payoutId: branch.payoutId,
    payouts: branch.payoutId,
    platformFeeId: await latest('/v1/platform-fees'),
    transfers: good(await api.post('/v1/transfers', transfer)).id,
    webhookId: await latest('/v1/webhooks'),
    deliveryId: await latest('/sandbox/deliveries'),
    actions: (own as unknown as Ids)['actionId']!,
    disputes: own.disputeId,
    products: await latest('/v1/in-person/products'),
    skus: await latest('/v1/in-person/skus?country=GB'),
    orders: await latest('/v1/in-person/orders'),
    conversionId: own.conversionId,
    requests: 'req_01JGXDFAM0Y2QZJP0SHDFV20F9',
    objects: own.customerId,
    'payment-sessions': own.paymentSessionId,
    name: 'default',
    snapshots: 'snap_1',
    clientSecret: open.clientSecret,
    hosted: hostedId,
  };
  return ids;
});

let reading: World;
let ids: Ids;
beforeAll(async () => {
  const { world, prepared } = await worlds.start();
  [reading, ids] = [world, prepared];
}, 60_000);
afterAll(async () => {
  await reading.close();
  await worlds.close();
});

interface Operation {
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, unknown>;
}

/** Objects that some operations need in another state than the prepared ones, by operation. */
const PREPARED: Record<string, (world: World) => Promise<Ids>> = {
  'PATCH /payment-sessions/{paymentSessionId}': async ({ api }) => ({
    paymentSessionId: (await openCheckout(api).session()).id,
  }),
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': async ({ api }) => ({
    paymentSessionId: (await openCheckout(api).session()).id,
  }),
  'POST /payment-sessions/{paymentSessionId}/captures': approved,
  'POST /payment-sessions/{paymentSessionId}/voids': approved,
  'POST /account-links': async () => ({ accounts: ids['hosted']! }),
  'POST /in-person/terminals/{id}/cancel-action': async ({ api }) => {
    const payment = { amounts: { requested: 1250 }, currency: 'GBP' };
    good(await api.post(`/v1/in-person/terminals/${ids['terminals']}/payment`, payment));
    return {};
  },
  'GET /sandbox/faults/{id}': faultPlan,
  'DELETE /sandbox/faults/{id}': faultPlan,
  'GET /sandbox/recordings/{id}/file': recording,
  'DELETE /sandbox/recordings/{id}': recording,
  'GET /sandbox/certificates/{id}': certificate,
  'GET /sandbox/certificates/{id}/answers': certificate,
  'GET /sandbox/certificates/{id}/cases/{caseId}/trace': certificate,
  'POST /sandbox/certificates/{id}/cases/{caseId}': certificate,
  'POST /sandbox/certificates/{id}/acts': certificate,
  'POST /sandbox/certificates/{id}/acts/{number}/answer': certificate,
  'POST /sandbox/certificates/{id}/end': certificate,
};

async function approved({ api }: World): Promise<Ids> {
  return { paymentSessionId: (await openCheckout(api).approved()).id };
}

async function faultPlan({ api }: World): Promise<Ids> {
  const fault = { at: 'api.reply', what: 'reset', when: { nth: 1_000 } };
  return { faults: good(await api.post('/sandbox/faults', { faults: [fault] })).id };
}

async function recording({ api }: World): Promise<Ids> {
  return { recordings: good(await api.post('/sandbox/recordings', {})).id };
}

/** A certificate with an act that is asked for, and the trace of a case. */
async function certificate({ api }: World): Promise<Ids> {
  const caseId = 'device.payment';
  const cases = [{ id: caseId, title: 'A payment', rules: [] }];
  const { id } = good(await api.post('/sandbox/certificates', { kind: 'device', name: 'SIM-0001', cases }));
  const path = `/sandbox/certificates/${id}`;
  const asked = good(await api.post(`${path}/acts`, { act: 'tap', text: 'Hold a card to the device.' }));
  const type = { 'content-type': 'application/gzip' };
  good(await api.raw('POST', `${path}/cases/${caseId}/trace`, Buffer.from([31, 139]), type));
  return { certificates: id, caseId, number: String(asked.number) };
}

/** The path with ids of the sandbox, and the parameters that the reference shows. */
function addressOf({ path, operation }: Route, { parameters = [] }: Operation, own: Ids): string {
  const at = path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, folder: string, name: string) => {
    const id = own[name === 'id' ? folder : name];
    if (id === undefined) throw new Error(`${operation}: the sandbox has nothing for ${folder}/{${name}}`);
    return `${folder}/${id}`;
  });
  const shown = parameters.filter((one) => one.in === 'query' && one.example !== undefined);
  const query = new URLSearchParams(
    shown.map(({ name, example }): [string, string] => [name, String(example)]),
  );
  return shown.length > 0 ? `${at}?${query.toString()}` : at;
}

const KINDS: Record<string, string> = {
  account: 'accounts',
  customer: 'customerId',
  location: 'locations',
  paymentSession: 'paymentSessionId',
  payoutMethod: 'payoutMethodId',
  terminal: 'terminals',
};

/** The example with ids of the sandbox in place of those of the reference. */
function withOwnIds(example: unknown, own: Ids): string {
  let text = JSON.stringify(example).replaceAll(/ps_[0-9A-Z]{26}_secret_\w+/g, own['clientSecret']!);
  for (const [kind, name] of Object.entries(KINDS)) {
    const { prefix } = ID_FORMS[kind as keyof typeof ID_FORMS];
    text = text.replaceAll(new RegExp(`"${prefix}[^"_]+"`, 'g'), `"${own[name]}"`);
  }
  return text;
}

async function send(world: World, route: Route, shown: Operation): Promise<Answer> {
  const { api } = world;
  const own = { ...ids, ...(await PREPARED[route.operation]?.(world)) };
  const address = addressOf(route, shown, own);
  if (route.upload) {
    const { bytes, contentType } = await encodeForm(uploadForm('Evidence'));
    return api.raw(route.method, address, bytes, { 'content-type': contentType });
  }
  const example = shown.requestBody?.content['application/json']?.example;
  return api.raw(route.method, address, example === undefined ? undefined : withOwnIds(example, own));
}

const DOCUMENTED = ROUTES.filter(({ bodyType }) => bodyType === undefined);

test.each(DOCUMENTED.map((route) => [route.operation, route] as const))(
  'API reference: the example of %s succeeds, or is refused for the state of its object',
  async (operation, route) => {
    const { body: document } = await reading.api.get('/openapi.json');
    const shown = document.paths[route.path][route.method.toLowerCase()] as Operation;
    const isRead = route.method === 'GET' && !/recordings|certificates/.test(operation);
    const world = isRead ? reading : (await worlds.start()).world;
    if (!isRead) onTestFinished(() => world.close());
    const { status, body } = await send(world, route, shown);
    const [error] = body?.errors ?? [];
    const refusal = STATE_REFUSALS[operation];
    expect([status, error?.message]).toEqual(
      refusal === undefined ? [route.status, undefined] : [refusal[0], expect.stringMatching(refusal[1])],
    );
    expect(Object.keys(shown.responses)).toContain(String(status));
  },
);
