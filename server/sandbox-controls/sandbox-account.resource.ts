import {
  findAccount,
  listSubAccounts,
  updateAccountSettings,
  type Account,
} from '../api/accounts/account.records.ts';
import { changingAccount } from '../api/accounts/verification.ts';
import { CURRENCY_CODES } from '../../protocol/money.ts';
import { AmountMinor, CurrencyCode, Id, Nullable, Type } from '../../protocol/schema.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { Services } from '../platform/services.ts';

/** What the API mentions of an account and shows no field for (docs/choices.md, Accounts). */
const Settings = Type.Object(
  {
    returnUrl: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    statementDescriptor: Type.Object({
      descriptor: Type.String({ minLength: 1, maxLength: 22 }),
      city: Type.String({ minLength: 1, maxLength: 13 }),
    }),
    currencies: Type.Array(CurrencyCode, { minItems: 1, uniqueItems: true }),
    preAuthAllowed: Type.Boolean(),
    motoAllowed: Type.Boolean(),
    minimumPayoutMinor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    frozen: Type.Boolean(),
    threeDsRedirect: Type.Optional(
      Type.Boolean({
        description:
          'requiredAction of a browser is a Redirect, not Identify and Challenge; false unless said',
      }),
    ),
    verifyAboveMinor: Type.Optional(
      Type.Partial(Type.Object(Object.fromEntries(CURRENCY_CODES.map((code) => [code, AmountMinor]))), {
        description:
          'What an Individual may be paid out before it has to be verified; 2,500.00 where not named',
      }),
    ),
  },
  { title: 'AccountSettings' },
);

const SettingsChange = Type.Partial(Type.Object(Settings.properties));

const BenchAccount = Type.Object(
  {
    id: Id('account'),
    platformId: Nullable(Id('account')),
    type: Type.Enum(['Standard', 'Sub']),
    name: Type.String(),
    settings: Settings,
  },
  { title: 'BenchAccount' },
);

export function sandboxAccountRoutes(services: Services): Route[] {
  const { clock, store } = services;
  const common = { surface: 'sandbox', tag: 'Sandbox account', section: 'Sandbox' } as const;
  return [
    route({
      ...common,
      operation: 'GET /sandbox/accounts',
      summary: 'List the platform and its sub accounts',
      reply: Type.Object({ items: Type.Array(BenchAccount) }),
      async handle({ caller: { platformId } }) {
        const platform = await findAccount(store, platformId);
        return { items: [...(platform ? [platform] : []), ...(await listSubAccounts(store, platformId))] };
      },
    }),
    route({
      ...common,
      operation: 'PATCH /sandbox/accounts/{id}/settings',
      summary: 'Change how an account is set up; what is not named stays',
      body: SettingsChange,
      reply: BenchAccount,
      async find({ caller: { platformId }, params }) {
        const account = await findAccount(store, params['id']!);
        if (account && isOf(platformId, account)) return account;
        throw new Refusal('not_found', { what: 'account' });
      },
      handle: ({ body, found }) =>
        store.transaction(async (tx) => {
          const account = (await findAccount(tx, found.id))!;
          const settings = { ...account.settings, ...body };
          await changingAccount(tx, services, account.id, () =>
            updateAccountSettings(tx, account.id, settings, clock.nowMs()),
          );
          return { ...account, settings };
        }),
    }),
  ];
}

function isOf(platformId: string, account: Account): boolean {
  return account.id === platformId || account.platformId === platformId;
}
