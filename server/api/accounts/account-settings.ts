import { CURRENCY_CODES, type Currency } from '../../../protocol/money.ts';
import { setBounded } from '../../platform/bounded-map.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';

/**
 * The settings of an account. The API mentions these but has no fields for them, so a sandbox control sets them
 * (docs/choices.md, Accounts).
 */
export interface AccountSettings {
  returnUrl: string;
  statementDescriptor: { descriptor: string; city: string };
  currencies: Currency[];
  preAuthAllowed: boolean;
  motoAllowed: boolean;
  minimumPayoutMinor: number;
  frozen: boolean;
  /** Whether 3-D Secure sends browsers to the issuer by a Redirect action, as older client libraries expect. */
  threeDsRedirect?: boolean;
  /** Payouts of an Individual before verification is required, minor units by currency; default VERIFY_ABOVE_MINOR. */
  verifyAboveMinor?: Partial<Record<Currency, number>>;
}

/** Returns the settings of a new account. */
export function defaultSettings(name: string): AccountSettings {
  return {
    returnUrl: 'https://example.com/return',
    statementDescriptor: { descriptor: name.slice(0, 22), city: 'London' },
    currencies: [...CURRENCY_CODES],
    preAuthAllowed: true,
    motoAllowed: true,
    minimumPayoutMinor: 100,
    frozen: false,
  };
}

const TEXTS_MAX = 1_000;
const parsed = new Map<string, AccountSettings>();

/** Returns the settings that a column holds. A text is parsed once: every payment reads it, and it rarely changes. */
export function parseSettings(text: JsonText<AccountSettings>): Readonly<AccountSettings> {
  const known = parsed.get(text);
  if (known) return known;
  const settings = Object.freeze(parseJson(text));
  setBounded(parsed, TEXTS_MAX, text, settings);
  return settings;
}
