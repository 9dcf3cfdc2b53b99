import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const ACCOUNT = {
  id: 'ac_1',
  platformId: null,
  type: 'Standard',
  name: 'Platform',
  settings: { frozen: true },
};

test('accounts: lists the platform and its sub accounts', async () => {
  const on = createCliFixture();
  const items = [ACCOUNT, { ...ACCOUNT, id: 'ac_2', type: 'Sub', name: 'Corner Shop' }];
  on.answer('GET /sandbox/accounts', { status: 200, body: { items } });
  expect(await on.run('accounts')).toBe(0);
  expect(on.out).toBe('ID    TYPE      NAME\nac_1  Standard  Platform\nac_2  Sub       Corner Shop\n');
});

test('accounts settings: changes settings and prints all of them', async () => {
  const on = createCliFixture();
  on.answer('PATCH /sandbox/accounts/ac_1/settings', { status: 200, body: ACCOUNT });
  const changes = ['--set', 'frozen=true', '--set', 'verifyAboveMinor.GBP=0'];
  expect(await on.run('accounts', 'settings', 'ac_1', ...changes)).toBe(0);
  expect(on.requests[0]!.body).toEqual({ frozen: true, verifyAboveMinor: { GBP: 0 } });
  expect(JSON.parse(on.out)).toEqual({ frozen: true });
});

test('accounts settings: an unknown setting, and none at all, are refused before the call', async () => {
  const on = createCliFixture();
  expect(await on.run('accounts', 'settings', 'ac_1', '--set', 'frosen=true')).toBe(1);
  expect(on.err).toContain(
    "PATCH /sandbox/accounts/{id}/settings has no member 'frosen': it has returnUrl, ",
  );
  expect(await on.run('accounts', 'settings', 'ac_1')).toBe(1);
  expect(on.err).toContain('--set is missing: a setting and its value\n');
  expect(on.requests).toEqual([]);
});

test('accounts verify: verifies a sub account, or refuses a person of it', async () => {
  const on = createCliFixture();
  const shown = (id: string, status: string) => ({ status: 200, body: { id, verification: { status } } });
  on.answer('POST /sandbox/accounts/ac_2/verification', shown('ac_2', 'Verified'), refusal(400, 'no'));
  on.answer('POST /sandbox/accounts/ac_2/persons/per_1/verification', shown('per_1', 'Required'));
  expect(await on.run('accounts', 'verify', 'ac_2')).toBe(0);
  expect(await on.run('accounts', 'verify', 'ac_2', 'per_1', '--refuse')).toBe(0);
  expect(on.requests.map(({ body }) => body)).toEqual([{ outcome: 'Verified' }, { outcome: 'Required' }]);
  expect(on.out).toBe('ac_2  Verified\nper_1  Required\n');
  expect(await on.run('accounts', 'verify', 'ac_2')).toBe(1);
});
