import { PLAIN_NUMBER } from '../../../../protocol/test-cards.ts';
import { exampleId } from '../../../../protocol/ids.ts';
import type { Route } from '../route.ts';

/** Parameters without which an operation does nothing, by operation. */
const EXAMPLES: Record<string, Record<string, unknown>> = {
  'GET /conversions/rate': { sellCurrency: 'GBP', buyCurrency: 'EUR', sellAmount: 1250 },
  'GET /in-person/skus': { country: 'GB' },
  'GET /sandbox/objects': { type: 'paymentSession' },
  'GET /sandbox/search': { text: 'SIM-0001' },
};

/** Returns an example of a parameter of an operation's query; undefined for one that can be left out. */
export function queryExampleOf(operation: string, name: string): unknown {
  return EXAMPLES[operation]?.[name];
}

type Json = Record<string, unknown>;

/**
 * Returns an example of a valid body: one that was chosen, or the required members, each with its example. An example that `/docs` generates
 * from the schema has every member, also those that exclude each other.
 */
export function bodyExampleOf({ operation, body }: Pick<Route, 'operation' | 'body'>): unknown {
  return CHOSEN[operation] ?? valueOf(body as Json);
}

const CARD = { number: PLAIN_NUMBER, expiryMonth: '12', expiryYear: '2030', cvc: '123' };
const CLIENT_SECRET = `${exampleId('paymentSession')}_secret_3f1c1c6e7a0b4a539a556a8a2f5a9c11`;

/** Bodies of operations whose schema does not say all that they need, or where an example with few members says little. */
const CHOSEN: Record<string, object> = {
  'POST /payment-sessions': { amount: 1250, currency: 'GBP', customerEmail: 'sam@example.com' },
  'PATCH /payment-sessions/{paymentSessionId}': { amount: 1500 },
  'POST /payment-sessions/attempt-payment': { clientSecret: CLIENT_SECRET, cardDetails: CARD },
  'POST /payment-sessions/continue-payment': {
    clientSecret: CLIENT_SECRET,
    // {"threeDSServerTransID":"…","threeDSCompInd":"Y"}
    threeDs: {
      fingerprint:
        'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjNmMWMxYzZlLTdhMGItNGE1My05YTU1LTZhOGEyZjVhOWMxMSIsInRocmVlRFNDb21wSW5kIjoiWSJ9',
    },
  },
  'POST /payment-sessions/{paymentSessionId}/captures': { amount: 1000 },
  'POST /payment-sessions/{paymentSessionId}/refunds': { amount: 500, reason: 'Returned' },
  'PATCH /webhooks/{webhookId}': { active: false },
  'POST /accounts': { onboardingFlow: 'Hosted', email: 'sam@example.com' },
  'PATCH /accounts/{id}': { metadata: { shop: '42' } },
  'POST /account-links': { accountId: exampleId('account'), redirectUrl: 'https://shop.example/back' },
  'PATCH /accounts/{id}/persons/{personId}': { phoneNumber: '+442079460000' },
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
  'PATCH /accounts/{id}/payout-methods/{payoutMethodId}': { displayName: 'Main account' },
  'POST /accounts/{id}/payouts': { amount: 500, currency: 'GBP', payoutMethodId: exampleId('payoutMethod') },
  'POST /transfers': { amount: 1250, currency: 'GBP', destination: { accountId: exampleId('account') } },
  'POST /conversions': {
    sell: { amount: 1250, currency: 'GBP' },
    buy: { currency: 'EUR' },
    termAgreement: true,
  },
  'PATCH /customers/{customerId}': { firstName: 'Samira' },
  'POST /subscriptions': {
    customer: { id: exampleId('customer') },
    price: { amount: 1250, currency: 'GBP', interval: { unit: 'Months', count: 1 } },
  },
  'PATCH /subscriptions/{subscriptionId}': { description: 'Tea of the month' },
  'DELETE /subscriptions/{subscriptionId}': { reason: 'Moved away' },
  'DELETE /subscriptions/{subscriptionId}/cancel': { reason: 'Moved away' },
  'PATCH /subscriptions/{subscriptionId}/pause': { reason: 'On holiday' },
  'PATCH /disputes/{disputeId}/evidence': {
    text: { uncategorised: 'The customer signed for the delivery.' },
  },
  'DELETE /disputes/{disputeId}/evidence': { text: ['uncategorised'] },
  'POST /wallet-pay/sessions': { displayName: 'Corner Shop', domainName: 'shop.example' },
  'POST /apple-pay/sessions': { displayName: 'Corner Shop', domainName: 'shop.example' },
  'POST /in-person/locations': {
    name: 'Corner Shop',
    address: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
  },
  'PATCH /in-person/locations/{id}': { name: 'Corner Shop North' },
  'POST /in-person/terminals': { serialNumber: 'SIM-1001', locationId: exampleId('location') },
  'PATCH /in-person/terminals/{id}': { name: 'Till 2' },
  'POST /in-person/terminals/{id}/refund': { paymentSession: { id: exampleId('paymentSession') } },
  'POST /sandbox/terminals/{id}/refund': { paymentSession: { id: exampleId('paymentSession') } },
  'POST /in-person/terminals/{id}/confirm-receipt': { merchantCopy: { status: 'Succeeded' } },
  'POST /sandbox/terminals/{id}/present-card': { card: 'visa-contactless' },
  'POST /sandbox/terminals/{id}/press-keys': { keys: ['1', '2', '3', '4', 'enter'] },
  'POST /sandbox/terminals/{id}/paper': { sheets: 50 },
  'POST /sandbox/fleets': { terminals: 3 },
  'PATCH /sandbox/accounts/{id}/settings': { motoAllowed: true },
  'POST /sandbox/payouts/{id}/outcome': { status: 'Completed' },
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': { code: 'insufficient_funds' },
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next': { type: 'Refund' },
  'POST /sandbox/payout-methods/{id}/verification': { status: 'Rejected', rejectionReason: 'NameMismatch' },
  'POST /sandbox/payment-sessions/{id}/authentication': { outcome: 'Authenticated' },
  'POST /sandbox/payment-sessions/{id}/disputes': { amount: 500 },
  'POST /sandbox/clock/advance': { seconds: 86_400 },
  'POST /sandbox/recordings': { title: 'A declined payment' },
  'POST /sandboxes': { name: 'ci-1' },
};

function valueOf(schema: Json): unknown {
  if ('const' in schema) return schema['const'];
  const { type, properties, required, items, minItems, minLength, minimum } = schema;
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (alternatives) return valueOf(alternatives.find((one) => one['type'] !== 'null') ?? {});
  switch (type) {
    case 'object': {
      const members = Object.entries((properties ?? {}) as Record<string, Json>);
      const needed = members.filter(([member]) => (required as string[] | undefined)?.includes(member));
      return Object.fromEntries(needed.map(([member, inside]) => [member, valueOf(inside)]));
    }
    case 'array':
      return Array.from({ length: Number(minItems ?? 1) || 1 }, () => valueOf(items as Json));
    case 'integer':
    case 'number':
      return Number(minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return 'Example'.padEnd(Number(minLength ?? 0), 'e');
  }
}
