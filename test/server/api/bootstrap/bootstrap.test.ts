import { expect, onTestFinished, test } from 'vitest';
import { createIds, seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { bootstrapAccounts } from '../../../../server/api/bootstrap/bootstrap.ts';
import { readAccountResourceById } from '../../../../server/api/accounts/account-view.ts';
import { findAccount, listSubAccounts } from '../../../../server/api/accounts/account.records.ts';
import { findKey } from '../../../../server/api/accounts/api-keys.ts';
import { LEASE_MS } from '../../../../server/platform/instance-lease.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import type { ServerSettings } from '../../../../server/platform/settings.ts';

const SETTINGS: ServerSettings = {
  mode: 'sandbox',
  secretKey: 'sk_sandbox_first',
  publicKey: 'pk_sandbox_first',
  pairingSecret: 'secret',
  dashboardToken: 'token',
  rateLimit: 'off',
  magicAmounts: 'on',
  publicUrl: 'http://tapbench.test',
};

async function emptyStore(): Promise<Store> {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

/** What one instance of the server brings to its first start. */
function instance(store: Store, seed: string, settings: Partial<ServerSettings> = {}) {
  const clock = new VirtualClock(1_750_000_000_000);
  return { store, clock, ids: createIds(clock, seededRandom(seed)), settings: { ...SETTINGS, ...settings } };
}

test(
  'bootstrap: the first start creates a platform with its keys and a linked sub account',
  { tags: ['spec:5/two-keys'] },
  async () => {
    const store = await emptyStore();
    const { platformId, subAccountId } = await bootstrapAccounts(instance(store, 'one'));
    const platform = await findAccount(store, platformId);
    expect(platform).toMatchObject({ id: platformId, platformId: null, type: 'Standard' });
    expect(await listSubAccounts(store, platformId)).toMatchObject([
      { id: subAccountId, platformId, type: 'Sub' },
    ]);
    expect(platform!.settings).toMatchObject({ frozen: false, motoAllowed: true });
    expect(await findKey(store, 'sk_sandbox_first')).toMatchObject({ kind: 'secret', accountId: platformId });
    expect(await findKey(store, 'pk_sandbox_first')).toMatchObject({ kind: 'public', accountId: platformId });
  },
);

test('bootstrap: keys are stored as hashes only', async () => {
  const store = await emptyStore();
  await bootstrapAccounts(instance(store, 'one'));
  const tables = await Promise.all(
    ['api_keys', 'accounts', 'settings'].map((table) => store.all(`SELECT * FROM ${table}`)),
  );
  expect(JSON.stringify(tables)).not.toContain('sandbox_first');
});

test('bootstrap: later starts find the existing accounts', async () => {
  const store = await emptyStore();
  const first = await bootstrapAccounts(instance(store, 'one'));
  expect(await bootstrapAccounts(instance(store, 'two'))).toEqual(first);
  expect(await store.all('SELECT id FROM accounts')).toHaveLength(2);
  expect(await store.all('SELECT id FROM orders')).toHaveLength(4);
});

test('bootstrap: a key removed from the settings stops working', async () => {
  const store = await emptyStore();
  const { platformId } = await bootstrapAccounts(instance(store, 'one'));
  await bootstrapAccounts(instance(store, 'one', { secretKey: 'sk_sandbox_second' }));
  expect(await findKey(store, 'sk_sandbox_first')).toBeUndefined();
  expect(await findKey(store, 'sk_sandbox_second')).toMatchObject({ accountId: platformId });
  expect(await findKey(store, 'pk_sandbox_first')).toMatchObject({ accountId: platformId });
});

test('bootstrap: changed settings stay changed', async () => {
  const store = await emptyStore();
  const { platformId } = await bootstrapAccounts(instance(store, 'one'));
  await store.run(`UPDATE accounts SET settings = ? WHERE id = ?`, '{"frozen":true}', platformId);
  await bootstrapAccounts(instance(store, 'one'));
  expect((await findAccount(store, platformId))!.settings).toEqual({ frozen: true });
});

test('bootstrap: instances that start at once create the accounts once', async () => {
  const store = await emptyStore();
  const seeds = ['one', 'two', 'three', 'four'];
  const all = await Promise.all(seeds.map((seed) => bootstrapAccounts(instance(store, seed))));
  expect(new Set(all.map(({ platformId, subAccountId }) => `${platformId} ${subAccountId}`)).size).toBe(1);
  expect(await store.all('SELECT id FROM accounts')).toHaveLength(2);
});

test('bootstrap: a malformed key creates nothing', async () => {
  const store = await emptyStore();
  await expect(bootstrapAccounts(instance(store, 'one', { secretKey: 'hello' }))).rejects.toThrow(
    'not an API key',
  );
  expect(await store.all('SELECT id FROM accounts')).toEqual([]);
});

test('bootstrap: accounts of the first release, which had only a name, are completed', async () => {
  const store = await emptyStore();
  const { platformId, subAccountId } = await bootstrapAccounts(instance(store, 'one'));
  await store.run(
    `UPDATE accounts SET onboarding_flow = NULL, business = NULL, verification = '{}', capabilities = '{}'`,
  );
  await bootstrapAccounts(instance(store, 'one'));
  for (const id of [platformId, subAccountId]) {
    const account = await readAccountResourceById(store, id);
    expect(account).toMatchObject({ onboardingFlow: 'NonHosted', verification: { status: 'Verified' } });
    expect(account.business!.name).toBe((await findAccount(store, id))!.name);
  }
});

test.each([
  [{ secretKey: 'sk_sandbox_second' }, 'SECRET_KEY and PUBLIC_KEY'],
  [{ publicKey: 'pk_sandbox_second' }, 'SECRET_KEY and PUBLIC_KEY'],
  [{ pairingSecret: 'another secret, as long as it has to be' }, 'PAIRING_SECRET'],
])('bootstrap: a shared store refuses a server with other keys: %o', async (changed, named) => {
  const store = await emptyStore();
  const shared = { instanceId: 'one', realNowMs: 0, replaceKeys: false };
  const { platformId } = await bootstrapAccounts(instance(store, 'one'), shared);
  const second = bootstrapAccounts(instance(store, 'two', changed), shared);
  await expect(second).rejects.toMatchObject({
    code: 'bad_setting',
    message: expect.stringMatching(new RegExp(`another ${named}: .*DATABASE_URL.*--replace-keys`)),
  });
  await expect(second).rejects.not.toThrow(/second|another secret/);
  // The keys of the first go on working, and the first may start again.
  expect((await findKey(store, instance(store, 'one').settings.secretKey))?.accountId).toBe(platformId);
  expect((await bootstrapAccounts(instance(store, 'one'), shared)).platformId).toBe(platformId);

  const replacing = { instanceId: 'two', realNowMs: LEASE_MS, replaceKeys: true };
  await expect(bootstrapAccounts(instance(store, 'two', changed), replacing)).rejects.toMatchObject({
    code: 'bad_setting',
    message: expect.stringMatching(/--replace-keys: another server runs on DATABASE_URL/),
  });
  expect((await bootstrapAccounts(instance(store, 'one'), shared)).platformId).toBe(platformId);
  // Without a word for as long, the first counts as ended.
  await bootstrapAccounts(instance(store, 'two', changed), { ...replacing, realNowMs: LEASE_MS + 1 });
  await bootstrapAccounts(instance(store, 'two', changed), shared);
  await expect(bootstrapAccounts(instance(store, 'one'), shared)).rejects.toMatchObject({
    code: 'bad_setting',
  });
});
