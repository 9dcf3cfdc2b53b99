import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const NUMBER = '31926819';
const ADDRESS = { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' };
const STERLING = {
  type: 'BankAccount',
  displayName: 'Main account',
  currency: 'GBP',
  country: 'GB',
  bankAccount: {
    accountNumberType: 'UnitedKingdom',
    accountNumber: NUMBER,
    bankIdType: 'SortCode',
    bankId: '60-16-13',
    address: ADDRESS,
  },
};
const EURO = {
  type: 'BankAccount',
  currency: 'EUR',
  country: 'IE',
  bankAccount: { accountNumberType: 'Iban', accountNumber: 'IE29 AIBK 9311 5212 3456 78' },
};

let world: World;
let path: string;
beforeEach(async () => {
  world = await startWorld();
  path = `/v1/accounts/${world.subAccountId}/payout-methods`;
});
afterEach(() => world.close());

test(
  'payout method: created, renamed and deleted, without ever returning the account number',
  {
    tags: [
      'spec:4.5/POST/accounts/{id}/payout-methods',
      'spec:4.5/GET/accounts/{id}/payout-methods/{payoutMethodId}',
      'spec:4.5/PATCH/accounts/{id}/payout-methods/{payoutMethodId}',
      'spec:4.5/DELETE/accounts/{id}/payout-methods/{payoutMethodId}',
      'spec:2.5/account-number-private',
      'spec:4.5/payout-method-update',
      'spec:4.5/delete-returns-method',
    ],
  },
  async () => {
    const heard = await world.listen('shop', [
      'PayoutMethod.created',
      'PayoutMethod.updated',
      'PayoutMethod.deleted',
      'Account.updated',
    ]);
    const account = async () => (await world.api.get(`/v1/accounts/${world.subAccountId}`)).body;
    expect(await account()).toMatchObject({
      status: 'ActionRequired',
      actionsRequired: [{ action: 'PayoutMethodRequired' }],
    });
    const { status, body: method } = await world.api.post(path, STERLING);
    expect(status).toBe(200);
    expect(method).toEqual({
      id: expect.stringMatching(/^pm_/),
      type: 'BankAccount',
      displayName: 'Main account',
      status: 'Valid',
      invalidReason: null,
      verification: { status: 'NotSupported' },
      currency: 'GBP',
      countryCode: 'GB',
      bankAccount: {
        accountNumberType: 'UnitedKingdom',
        last4: '6819',
        bankIdType: 'SortCode',
        bankId: '601613',
        bankName: expect.any(String),
        address: { ...ADDRESS, lineTwo: null, region: null },
      },
      createdTimestamp: world.clock.nowMs() / 1000,
      lastUpdatedTimestamp: world.clock.nowMs() / 1000,
    });
    expect(await account()).toMatchObject({ status: 'Verified', actionsRequired: [] });
    expect((await world.api.get(`${path}/${method.id}`)).body).toEqual(method);

    await world.advance({ seconds: 5 });
    const renamed = await world.api.patch(`${path}/${method.id}`, { displayName: 'Old account' });
    expect(renamed.body).toEqual({
      ...method,
      displayName: 'Old account',
      lastUpdatedTimestamp: method.lastUpdatedTimestamp + 5,
    });
    expect((await world.api.delete(`${path}/${method.id}`)).body).toEqual(renamed.body);
    expect((await world.api.get(`${path}/${method.id}`)).status).toBe(404);
    expect((await world.api.delete(`${path}/${method.id}`)).status).toBe(404);
    await world.settled();
    const heardOf = (object: string) => heard.types().filter((type) => type.startsWith(object));
    expect(heardOf('PayoutMethod')).toEqual([
      'PayoutMethod.created',
      'PayoutMethod.updated',
      'PayoutMethod.deleted',
    ]);
    expect(heardOf('Account')).toEqual(['Account.updated', 'Account.updated']);

    const { store } = world.server.services;
    const stored = await store.all('SELECT * FROM payout_methods');
    const told = await store.all('SELECT body FROM events');
    expect(JSON.stringify([stored, told, heard.deliveries])).not.toContain(NUMBER);
  },
);

test(
  'payout method: an account has one for each currency',
  {
    tags: [
      'spec:4.5/GET/accounts/{id}/payout-methods',
      'spec:2.5/one-per-currency',
      'spec:4.5/one-per-currency',
    ],
  },
  async () => {
    const sterling = (await world.api.post(path, STERLING)).body;
    const second = await world.api.post(path, STERLING);
    expect([second.status, second.body.errors[0].code]).toEqual([400, 'bad_request']);
    const euro = (await world.api.post(path, EURO)).body;
    expect(euro.bankAccount).toEqual({
      accountNumberType: 'Iban',
      bankIdType: null,
      last4: '5678',
      bankName: expect.any(String),
    });
    const page = (await world.api.get(`${path}?limit=1`)).body;
    expect(page.items.map(({ id }: Json) => id)).toEqual([euro.id]);
    const rest = (await world.api.get(`${path}?startsAfter=${page.paginationToken}`)).body;
    expect(rest).toMatchObject({ items: [{ id: sterling.id }], paginationToken: null });
    expect((await world.api.get(`${path}?limit=25`)).status).toBe(200);
    expect((await world.api.get(`${path}?limit=26`)).status).toBe(400);

    await world.api.delete(`${path}/${sterling.id}`);
    expect((await world.api.post(path, STERLING)).status).toBe(200);
  },
);

test(
  'POST /payout-methods: of two concurrent requests for one currency one succeeds',
  { tags: ['spec:8/one-payout-method-when-concurrent'] },
  async () => {
    const answers = await Promise.all([1, 2, 3].map(() => world.api.post(path, STERLING)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  },
);

test('POST /payout-methods: an invalid bank account is refused, and nothing of it is stored', async () => {
  const { bankAccount } = STERLING;
  const bodies: [object, string][] = [
    [{ ...STERLING, currency: 'XXX' }, 'currency must be one of'],
    [{ ...STERLING, country: 'FR' }, 'country must be one of'],
    [{ ...STERLING, type: 'Wallet' }, 'type'],
    [{ ...STERLING, bankAccount: { ...bankAccount, accountNumber: '1234' } }, 'bankAccount.accountNumber'],
    [{ ...STERLING, bankAccount: { ...bankAccount, bankId: '12' } }, 'bankAccount.bankId'],
    [{ ...STERLING, bankAccount: { ...bankAccount, address: { country: 'GB' } } }, 'bankAccount.address'],
    [{ ...EURO, country: 'FR' }, 'bankAccount.accountNumber must be an IBAN of FR'],
    [{ ...STERLING, bankAccount: undefined }, 'bankAccount is required'],
  ];
  for (const [body, message] of bodies) {
    const answer = await world.api.post(path, body);
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(answer.body.errors[0].message).toContain(message);
    expect(JSON.stringify(answer.body)).not.toContain(NUMBER);
  }
  expect((await world.api.get(path)).body.items).toEqual([]);
});

test(
  'GET /payout-methods: those of an account are visible to its platform only',
  { tags: ['spec:8/payout-method-page'] },
  async () => {
    const { body: method } = await world.api.post(path, STERLING);
    const own = `/v1/accounts/${world.platformId}/payout-methods`;
    expect((await world.api.get(own)).body.items).toEqual([]);
    expect((await world.api.get(`${own}/${method.id}`)).status).toBe(404);
    const nobody = '/v1/accounts/ac_00000000-0000-4000-8000-000000000000/payout-methods';
    expect((await world.api.get(nobody)).status).toBe(404);
    expect((await world.api.post(nobody, STERLING)).status).toBe(404);
  },
);

test('payout method: a sandbox control sets each verification, which another bank account clears', async () => {
  const receiver = await world.listen('shop', ['PayoutMethod.updated']);
  const { body: added } = await world.api.post(path, STERLING);
  expect(added.verification).toEqual({ status: 'NotSupported' });
  const verify = (body: object) => world.api.post(`/sandbox/payout-methods/${added.id}/verification`, body);
  for (const [given, shown] of [
    [{ status: 'Pending' }, { status: 'Pending' }],
    [{ status: 'Unverified' }, { status: 'Unverified' }],
    [
      { status: 'Verified', nameOnAccount: 'Corner Shop' },
      { status: 'Verified', nameOnAccount: 'Corner Shop' },
    ],
    [{ status: 'Rejected' }, { status: 'Rejected', rejectionReason: 'NameMismatch' }],
    [
      { status: 'Rejected', rejectionReason: 'CheckUnavailable' },
      { status: 'Rejected', rejectionReason: 'CheckUnavailable' },
    ],
    [{ status: 'NotSupported' }, { status: 'NotSupported' }],
    [{ status: 'Verified' }, { status: 'Verified' }],
  ] as const) {
    expect((await verify(given)).body.verification).toEqual(shown);
    expect((await world.api.get(`${path}/${added.id}`)).body.verification).toEqual(shown);
  }
  await world.settled();
  expect(receiver.deliveries.at(-1)!.event.data.verification).toEqual({ status: 'Verified' });
  expect(receiver.deliveries).toHaveLength(7);
  for (const body of [
    {},
    undefined,
    { status: 'Fine' },
    { status: 'Pending', rejectionReason: 'NameMismatch' },
  ])
    expect((await verify(body as object)).status).toBe(400);
  expect(
    (await world.api.post('/sandbox/payout-methods/pm_x/verification', { status: 'Pending' })).status,
  ).toBe(404);

  const renamed = await world.api.patch(`${path}/${added.id}`, { displayName: 'Other' });
  expect(renamed.body.verification).toEqual({ status: 'Verified' });
  const bankAccount = { ...STERLING.bankAccount, accountNumber: '55779911' };
  const moved = await world.api.patch(`${path}/${added.id}`, { bankAccount });
  expect(moved.body.verification).toEqual({ status: 'NotSupported' });
});
