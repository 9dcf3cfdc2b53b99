const OF_ADDRESS = ['lineTwo', 'region'];

const inAddress = (path: string) => OF_ADDRESS.map((line) => `${path}.${line}`);

const OF_ACCOUNT = ['business.registeredAddress', 'business.tradingAddress', 'individual.address'].flatMap(
  inAddress,
);

/**
 * Every property of a request that takes null, by operation: null removes the value, or says that there is none. In
 * any other property null counts as absent (docs/choices.md, Null). The OpenAPI document promises exactly these, and
 * test/journeys/null-clears.test.ts sends them.
 */
export const NULL_CLEARS: Readonly<Record<string, readonly string[]>> = {
  'POST /accounts': OF_ACCOUNT,
  'PATCH /accounts/{id}': OF_ACCOUNT,
  'POST /accounts/{id}/persons': inAddress('address'),
  'PATCH /accounts/{id}/persons/{personId}': inAddress('address'),
  'POST /accounts/{id}/payout-methods': inAddress('bankAccount.address'),
  'PATCH /accounts/{id}/payout-methods/{payoutMethodId}': inAddress('bankAccount.address'),
  'PATCH /customers/{customerId}': ['defaultPaymentMethod'],
  'POST /in-person/locations': inAddress('address'),
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next': ['type'],
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': ['code'],
  'POST /sandboxes': ['expiresInSeconds'],
};
