import { CURRENCY_CODES } from '../../protocol/money.ts';
import { AmountMinor, CurrencyCode, Id, Nullable, Type } from '../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../protocol/text-formats.ts';
import { List } from '../platform/http/paging.schema.ts';
import {
  ACCOUNT_GUARDS,
  findAccount,
  listSubAccounts,
  accounts,
  type Account,
} from '../api/accounts/account.records.ts';
import { applyAccountChange } from '../api/accounts/verification.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { City } from '../platform/http/text.schema.ts';
import { Url } from '../platform/http/url.schema.ts';

/** What the API mentions of an account and shows no field for (docs/choices.md, Accounts). */
const Settings = Type.Object(
  {
    returnUrl: Url(
      'paymentReturn',
      'URL to which a redirect returns the customer when a payment session has none of its own',
      { pattern: TEXT_FORMATS.httpUrl.pattern, maxLength: 2048 },
    ),
    statementDescriptor: Type.Object(
      {
        descriptor: Type.String({ minLength: 1, maxLength: 22, description: 'Name of the merchant' }),
        city: City('City of the merchant', { minLength: 1, maxLength: 13 }),
      },
      { description: 'What statements of cardholders show when a payment session has none of its own' },
    ),
    currencies: Type.Array(CurrencyCode, {
      minItems: 1,
      uniqueItems: true,
      description: 'Currencies that the account can take payments in',
    }),
    preAuthAllowed: Type.Boolean({
      description: 'Whether payment sessions can have the authorization type `PreAuth`',
    }),
    motoAllowed: Type.Boolean({ description: 'Whether payment sessions can have the entry mode `MOTO`' }),
    minimumPayoutMinor: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Smallest amount of a manual payout, in minor units',
    }),
    frozen: Type.Boolean({ description: 'Whether payouts are disabled. Payments can still be taken.' }),
    threeDsRedirect: Type.Optional(
      Type.Boolean({
        description:
          'Whether `requiredAction` in a browser is a `Redirect` rather than `Identify` and `Challenge`. Defaults to false.',
      }),
    ),
    verifyAboveMinor: Type.Optional(
      Type.Partial(Type.Object(Object.fromEntries(CURRENCY_CODES.map((code) => [code, AmountMinor]))), {
        description:
          'Total that an `Individual` can be paid out before it has to be verified, in minor units, by currency. Defaults to 2,500.00 for a currency that is not named.',
      }),
    ),
  },
  { title: 'AccountSettings', description: 'Settings of an account that the API has no field for' },
);

const SettingsChange = Type.Partial(Type.Object(Settings.properties));

const SandboxAccount = Type.Object(
  {
    id: Id('account'),
    platformId: Nullable(
      Id('account'),
      'Unique identifier of the platform that the account is linked to; null for a platform',
    ),
    type: Type.Enum(['Standard', 'Sub'], {
      description: '`Standard` for the platform account, `Sub` for a sub account',
    }),
    name: Type.String({ description: 'Name of the account' }),
    settings: Settings,
  },
  { title: 'SandboxAccount', description: 'An account with its settings' },
);

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
      tx.lockRow('accounts', found.id);
      const account = await findAccount(tx, found.id);
      if (!account) throw new Refusal('not_found', { what: 'account' });
      const settings = { ...account.settings, ...body };
      await applyAccountChange(tx, services, account.id, () =>
        accounts.update(tx, account.id, { accountSettings: settings }, services.clock.nowMs()),
      );
      return { ...account, settings };
    }, ACCOUNT_GUARDS);
  },
});

export const sandboxAccountRoutes: readonly Route[] = [listSandboxAccountsRoute, updateAccountSettingsRoute];

function belongsToPlatform(platformId: string, account: Account): boolean {
  return account.id === platformId || account.platformId === platformId;
}
