import { List } from '../platform/http/paging.schema.ts';
import {
  findAccount,
  listSubAccounts,
  updateAccountSettings,
  type Account,
} from '../api/accounts/account.records.ts';
import { applyAccountChange } from '../api/accounts/verification.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { SandboxAccount, SettingsChange } from './sandbox-account.schema.ts';

const common = { surface: 'sandbox', tag: 'Sandbox account', section: 'Sandbox' } as const;

const listSandboxAccountsRoute = route({
  ...common,
  operation: 'GET /sandbox/accounts',
  summary: 'List the platform and its sub accounts',
  reply: List(SandboxAccount),
  async handle({ services: { store }, caller: { platformId } }) {
    const platform = await findAccount(store, platformId);
    return { items: [...(platform ? [platform] : []), ...(await listSubAccounts(store, platformId))] };
  },
});

const updateAccountSettingsRoute = route({
  ...common,
  operation: 'PATCH /sandbox/accounts/{id}/settings',
  access: 'dashboard',
  summary: 'Update the settings of an account',
  body: SettingsChange,
  reply: SandboxAccount,
  async find({ services: { store }, caller: { platformId }, params }) {
    const account = await findAccount(store, params.id);
    if (account && belongsToPlatform(platformId, account)) return account;
    throw new Refusal('not_found', { what: 'account' });
  },
  async handle({ services, body, found }) {
    // Settings that do not exist were dropped: a misspelt name must not look like a change.
    if (Object.keys(body).length === 0) {
      const names = Object.keys(SettingsChange.properties).join(', ');
      throw new Refusal('invalid_field', { field: 'body', problem: `must have at least one of ${names}` });
    }
    return services.store.transaction(async (tx) => {
      const account = (await findAccount(tx, found.id))!;
      const settings = { ...account.settings, ...body };
      await applyAccountChange(tx, services, account.id, () =>
        updateAccountSettings(tx, account.id, settings, services.clock.nowMs()),
      );
      return { ...account, settings };
    });
  },
});

export const sandboxAccountRoutes: readonly Route[] = [listSandboxAccountsRoute, updateAccountSettingsRoute];

function belongsToPlatform(platformId: string, account: Account): boolean {
  return account.id === platformId || account.platformId === platformId;
}
