import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { expect, test } from 'vitest';
import { seededRandom } from '../../protocol/ids.ts';
import { auditLedger } from '../../server/api/ledger/audit.ts';
import { openCheckout } from '../kit/checkout.ts';
import { upload } from '../kit/form.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { business, person } from '../server/api/accounts/account-bodies.ts';
import { DECLARED } from '../server/platform/http/declared-routes.ts';
import { routeOf } from './declared-shapes.ts';
import { malformedRequests, operationsOf, type Request } from './malformed-requests.ts';
import { isDeclared } from './refusals/message.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const REQUESTS = 2_000;

/** Something of everything, so that a malformed request may also meet what exists. Answers all ids. */
async function furnish(world: World): Promise<string[]> {
  const { api, subAccountId } = world;
  const ids = new Set<string>();
  const keep = ({ body }: { body: Json }) => {
    for (const [id] of JSON.stringify(body).matchAll(/[a-z]+_[0-9A-Za-z-]{26,}(_[0-9A-Z]{26})?/g))
      ids.add(id);
    return body;
  };
  const shop = openCheckout(api);
  keep({ body: await shop.captured() });
  keep({ body: await shop.approved() });
  keep({ body: await shop.session() });
  const disputed = await shop.captured();
  keep(await api.post(`/sandbox/payment-sessions/${disputed.id}/disputes`, {}));
  const customer = keep(await api.post('/v1/customers', { email: 'ana@example.com' }));
  const price = { amount: 500, currency: 'GBP', interval: { unit: 'Months', count: 1 } };
  keep(await api.post('/v1/subscriptions', { customer: { id: customer.id }, price }));
  const account = keep(
    await api.post('/v1/accounts', { onboardingFlow: 'NonHosted', entityType: 'Business', business }),
  );
  keep(await api.post(`/v1/accounts/${account.id}/persons`, person));
  keep(await api.post(`/v1/accounts/${subAccountId}/payout-methods`, BANK_ACCOUNT));
  await openCheckout(api.as(subAccountId)).captured({ amount: 9_000, platformFee: 100 });
  await world.advance({ minutes: 7 * 24 * 60 });
  keep(await api.get(`/v1/accounts/${subAccountId}/payouts`));
  keep(await upload(api, 'Evidence'));
  keep(await api.post('/v1/wallet-pay/web-domains', { domainName: 'shop.example' }));
  const terminal = await world.addTerminal();
  keep(await api.get(`/v1/in-person/terminals/${terminal.terminalId}`));
  await world.listen('shop', ['PaymentSession.captured']);
  for (const list of ['payment-methods', 'events', 'webhooks', 'platform-fees', 'in-person/locations'])
    keep(await api.get(`/v1/${list}`));
  for (const list of [
    'in-person/orders',
    'in-person/products',
    'in-person/skus?country=GB',
    'balance-transactions',
  ])
    keep(await api.get(`/v1/${list}`));
  keep(await api.get(`/v1/payment-sessions/${disputed.id}/transactions`));
  return [...ids];
}

// A good one would end what the test is about: all is forgotten, or a year goes by.
const NOT_ASKED = ['/sandbox/reset', '/sandbox/clock/advance'];

interface Answered {
  status: number;
  body: string;
}

// Sandboxes and recordings are files: a reply to a request about one waits for the disk, which takes real time.
const TURNS_MAX = 40_000;

/** The answer; time moves on for what waits for somebody, and what never answers is a failure. */
async function answered(world: World, { method, ...rest }: Request): Promise<Answered> {
  let answer: Answered | undefined;
  const asked = world.server.http
    .inject({ method, ...rest })
    .then(({ statusCode, body }) => (answer = { status: statusCode, body }));
  for (let turns = 0; answer === undefined && turns < TURNS_MAX; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (answer === undefined) await world.advance({ minutes: 2 });
  if (answer === undefined) throw new Error(`${method} ${rest.url} is not answered`);
  return asked;
}

test(
  'API: 2,000 malformed requests over all routes cause no fault, never hang, and keep the ledger balanced',
  { tags: ['spec:7/malformed-requests'], timeout: 120_000 },
  async () => {
    const world = await startWorld();
    const { store } = world.server.services;
    const audit = () => store.transaction((tx) => auditLedger(tx, world.clock.nowMs()));
    const ids = await furnish(world);
    const { body: document } = await world.api.get('/openapi.json');
    const operations = operationsOf(document).filter(({ path }) => !NOT_ASKED.includes(path));
    const random = seededRandom('malformed');
    const make = malformedRequests({ schemas: document.components.schemas, ids, random }, 'sk_sandbox_world');

    const faults: [number, Request][] = [];
    const undeclared: unknown[] = [];
    const statuses = new Map<number, number>();
    for (let asked = 0; asked < REQUESTS; asked++) {
      const request = make.request(operations[asked % operations.length]!);
      const { status, body } = await answered(world, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A plan of faults would strike the requests after it.
      if (request.method === 'POST' && request.url.split('?')[0] === '/sandbox/faults' && status === 200)
        await world.api.delete(`/sandbox/faults/${JSON.parse(body).id}`);
      if (status >= 500) faults.push([status, request]);
      const route = routeOf(DECLARED, request.method, request.url.split('?')[0]!);
      if (route && status >= 400 && !isDeclared(route, status, JSON.parse(body).errors[0].message))
        undeclared.push([route.operation, status, body]);
    }

    expect(
      faults.map(([status, { method, url, payload }]) => [status, method, url, String(payload)]),
    ).toEqual([]);
    // Each refusal is one that the document says the operation has.
    expect(undeclared).toEqual([]);
    // It goes deep: what exists was found, looked at, refused for what it says, and now and then it was good.
    for (const status of [200, 400, 401, 403, 404, 405, 413, 415]) {
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    }
    await world.settled();
    expect((await world.api.get('/healthz')).status).toBe(200);
    expect(await audit()).toEqual([]);
    const session = await openCheckout(world.api).captured({ amount: 4_200 });
    await world.advance({ minutes: 60 });
    expect((await world.api.get(`/v1/payment-sessions/${session.id}`)).body.status).toBe('Captured');
    expect(await audit()).toEqual([]);
    await world.close();
  },
);
