import { exampleOf } from './examples.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/**
 * Returns an example of a valid body: the required members, each with its example. An example that `/docs` generates
 * from the schema has every member, also those that exclude each other.
 */
export function bodyExampleOf({ operation, body }: Pick<Route, 'operation' | 'body'>): unknown {
  return CHOSEN[operation] ?? valueOf('', body as Json);
}

/** Bodies of operations whose schema does not say all that they need. */
const CHOSEN: Record<string, object> = {
  'POST /accounts': { onboardingFlow: 'Hosted', email: 'sam@example.com' },
  'POST /accounts/{id}/payout-methods': {
    type: 'BankAccount',
    currency: 'GBP',
    country: 'GB',
    bankAccount: {
      bankIdType: 'SortCode',
      bankId: '601613',
      accountNumberType: 'UnitedKingdom',
      accountNumber: '31926819',
    },
  },
  'POST /in-person/terminals/{id}/confirm-receipt': { merchantCopy: { status: 'Succeeded' } },
  'POST /transfers': {
    amount: 1250,
    currency: 'GBP',
    destination: { accountId: 'ac_3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11' },
  },
  'POST /conversions': {
    sell: { amount: 1250, currency: 'GBP' },
    buy: { currency: 'EUR' },
    termAgreement: true,
  },
};

function valueOf(name: string, schema: Json): unknown {
  if ('const' in schema) return schema['const'];
  const { type, properties, required, items, minItems, minLength, minimum } = schema;
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (alternatives) return valueOf(name, alternatives.find((one) => one['type'] !== 'null') ?? {});
  const example = exampleOf(name, schema);
  if (example !== undefined) return example;
  switch (type) {
    case 'object': {
      const members = Object.entries((properties ?? {}) as Record<string, Json>);
      const needed = members.filter(([member]) => (required as string[] | undefined)?.includes(member));
      return Object.fromEntries(needed.map(([member, inside]) => [member, valueOf(member, inside)]));
    }
    case 'array':
      return Array.from({ length: Number(minItems ?? 1) || 1 }, () => valueOf(name, items as Json));
    case 'integer':
    case 'number':
      return Number(minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return 'Example'.padEnd(Number(minLength ?? 0), 'e');
  }
}
