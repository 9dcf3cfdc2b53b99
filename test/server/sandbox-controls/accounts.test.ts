import { expect, test } from 'vitest';
import { findAccount } from '../../../server/api/accounts/account.records.ts';
import { sandboxAccountRoutes } from '../../../server/sandbox-controls/sandbox-account.resource.ts';
import { smallServer } from '../platform/http/small-server.ts';

test('GET /sandbox/accounts: returns the platform and its sub accounts with their settings', async () => {
  const { call, platformId, subAccountId } = await smallServer(sandboxAccountRoutes);
  const { status, body } = await call('GET /sandbox/accounts');
  expect(status).toBe(200);
  expect(body.items).toMatchObject([
    { id: platformId, platformId: null, type: 'Standard', settings: { frozen: false } },
    { id: subAccountId, platformId, type: 'Sub', settings: { minimumPayoutMinor: 100 } },
  ]);
});

test('PATCH /sandbox/accounts/{id}/settings: changes only the settings that are sent', async () => {
  const { call, subAccountId, platformId, services } = await smallServer(sandboxAccountRoutes);
  const before = (await findAccount(services.store, subAccountId))!;
  const change = { currencies: ['GBP', 'EUR'], frozen: true };
  const { status, body } = await call(`PATCH /sandbox/accounts/${subAccountId}/settings`, { body: change });
  expect([status, body]).toEqual([200, { ...before, settings: { ...before.settings, ...change } }]);
  expect(await findAccount(services.store, subAccountId)).toEqual(body);
  expect((await findAccount(services.store, platformId))!.settings.frozen).toBe(false);
});

test('PATCH /sandbox/accounts/{id}/settings: accepts the platform, and null leaves a setting as it is', async () => {
  const { call, platformId, services } = await smallServer(sandboxAccountRoutes);
  const before = (await findAccount(services.store, platformId))!;
  const { status, body } = await call(`PATCH /sandbox/accounts/${platformId}/settings`, {
    body: { frozen: null, motoAllowed: before.settings.motoAllowed },
  });
  expect([status, body]).toEqual([200, before]);
});

test('PATCH /sandbox/accounts/{id}/settings: two concurrent updates are both stored', async () => {
  const { call, platformId, services } = await smallServer(sandboxAccountRoutes);
  const path = `PATCH /sandbox/accounts/${platformId}/settings`;
  await Promise.all([
    call(path, { body: { motoAllowed: false } }),
    call(path, { body: { preAuthAllowed: false } }),
  ]);
  const { settings } = (await findAccount(services.store, platformId))!;
  expect([settings.motoAllowed, settings.preAuthAllowed]).toEqual([false, false]);
});

test.each([
  [{ currencies: [] }, 'currencies must'],
  [{ currencies: ['GBP', 'XXX'] }, 'currencies.1 must be one of'],
  [{ currencies: ['GBP', 'GBP'] }, 'currencies must'],
  [{ returnUrl: 'not a url' }, 'returnUrl must'],
  [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl must'],
  [{ statementDescriptor: { descriptor: 'Shop' } }, 'statementDescriptor.city is required'],
  [
    { statementDescriptor: { descriptor: 'x'.repeat(23), city: 'Leeds' } },
    'statementDescriptor.descriptor must',
  ],
  [{ minimumPayoutMinor: -1 }, 'minimumPayoutMinor must'],
  [{ frozen: 'yes' }, 'frozen must be a boolean'],
])('PATCH /sandbox/accounts/{id}/settings: refuses %j', async (change, message) => {
  const { call, platformId } = await smallServer(sandboxAccountRoutes);
  const { status, body } = await call(`PATCH /sandbox/accounts/${platformId}/settings`, { body: change });
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(body.errors[0].message).toContain(message);
});

test('PATCH /sandbox/accounts/{id}/settings: an account of another platform is not found', async () => {
  const { call } = await smallServer(sandboxAccountRoutes);
  for (const id of ['nonsense', 'ac_00000000-0000-4000-8000-000000000000']) {
    const { status, body } = await call(`PATCH /sandbox/accounts/${id}/settings`, { body: {} });
    expect([status, body.errors[0].message]).toEqual([404, 'no such account']);
  }
});
