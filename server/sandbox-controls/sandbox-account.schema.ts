import { CURRENCY_CODES } from '../../protocol/money.ts';
import { AmountMinor, CurrencyCode, Id, Nullable, Type } from '../../protocol/schema.ts';

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

export const SettingsChange = Type.Partial(Type.Object(Settings.properties));

export const SandboxAccount = Type.Object(
  {
    id: Id('account'),
    platformId: Nullable(Id('account')),
    type: Type.Enum(['Standard', 'Sub']),
    name: Type.String(),
    settings: Settings,
  },
  { title: 'SandboxAccount' },
);
