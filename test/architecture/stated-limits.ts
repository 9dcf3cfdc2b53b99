/**
 * How many entries of metadata there may be (Spec §2.1; docs/choices.md), by operation and member. A list is the
 * member `0`.
 */
export const METADATA_ENTRIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'POST /payment-sessions': { metadata: 10, 'customerDetails.metadata': 10, 'splits.items.0.metadata': 10 },
  'PATCH /payment-sessions/{paymentSessionId}': {
    metadata: 10,
    'customerDetails.metadata': 10,
    'splits.items.0.metadata': 10,
  },
  'POST /payment-sessions/{paymentSessionId}/captures': { 'splits.items.0.metadata': 10 },
  'POST /accounts': { metadata: 5 },
  'PATCH /accounts/{id}': { metadata: 5 },
  'POST /accounts/{id}/persons': { metadata: 5 },
  'PATCH /accounts/{id}/persons/{personId}': { metadata: 5 },
  'POST /accounts/{id}/payouts': { metadata: 5 },
  'POST /transfers': { metadata: 5 },
  'POST /conversions': { metadata: 10 },
  'POST /customers': { metadata: 10 },
  'PATCH /customers/{customerId}': { metadata: 10 },
  'POST /subscriptions': { metadata: 10 },
  'PATCH /subscriptions/{subscriptionId}': { metadata: 10 },
  'POST /files': { metadata: 10 },
  'POST /in-person/locations': { metadata: 10 },
  'PATCH /in-person/locations/{id}': { metadata: 10 },
  'POST /in-person/terminals': { metadata: 10 },
  'PATCH /in-person/terminals/{id}': { metadata: 10 },
  'POST /in-person/terminals/{id}/payment': { 'paymentSession.metadata': 10 },
};

/** The longest page of each list (Spec §8); a list without pages has none. */
export const PAGES: Readonly<Record<string, number | 'without pages'>> = {
  'GET /payment-sessions': 50,
  'GET /payment-sessions/{paymentSessionId}/transactions': 50,
  'GET /webhooks': 'without pages',
  'GET /events': 50,
  'GET /accounts/{id}/persons': 50,
  'GET /accounts/{id}/payout-methods': 25,
  'GET /accounts/{id}/payouts': 50,
  'GET /transfers': 50,
  'GET /balances': 'without pages',
  'GET /balance-transactions': 50,
  'GET /conversions': 50,
  'GET /platform-fees': 50,
  'GET /platform-fees/{platformFeeId}/refunds': 50,
  'GET /customers': 50,
  'GET /customers/{customerId}/payment-methods': 50,
  'GET /subscriptions': 50,
  'GET /subscriptions/{subscriptionId}/payment-sessions': 50,
  'GET /files': 50,
  'GET /disputes': 50,
  'GET /wallet-pay/web-domains': 50,
  'GET /apple-pay/web-domains': 50,
  'GET /in-person/locations': 50,
  'GET /in-person/terminals': 50,
  'GET /in-person/products': 50,
  'GET /in-person/skus': 50,
  'GET /in-person/orders': 50,
};

type Lengths = readonly [least: number, most: number];

/** How long the texts of a body are, where the specification says so (Spec §2.7, §8). */
export const LENGTHS: Readonly<Record<string, Readonly<Record<string, Lengths>>>> = {
  'POST /in-person/locations': {
    name: [5, 50],
    'address.lineOne': [1, 80],
    'address.lineTwo': [1, 80],
    'address.city': [2, 50],
    'address.country': [2, 2],
    'address.postalCode': [2, 16],
    'address.region': [1, 80],
  },
  'PATCH /in-person/locations/{id}': { name: [5, 50] },
};

/** Members that have to be there, where the specification says so (Spec §2.4, §2.7, §4). */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'POST /payment-sessions': ['amount', 'currency'],
  'POST /accounts/{id}/persons': ['businessRoles', 'gender'],
  'POST /in-person/locations': [
    'name',
    'address',
    'address.lineOne',
    'address.city',
    'address.country',
    'address.postalCode',
  ],
  'POST /in-person/terminals': ['serialNumber'],
  'POST /in-person/terminals/{id}/payment': ['amounts', 'amounts.requested', 'currency'],
  'POST /in-person/terminals/{id}/refund': ['paymentSession', 'paymentSession.id'],
  'POST /accounts/{id}/payouts': ['amount', 'currency', 'payoutMethodId'],
  'POST /accounts/{id}/payout-methods': ['type', 'currency', 'country', 'bankAccount'],
};

/** Values of which a member has to be one, where the specification names them all (Spec §2.2, §2.3, §2.4). */
export const CHOICES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'POST /payment-sessions': {
    captureFlow: ['Automatic', 'Manual'],
    paymentType: ['Standard', 'Unscheduled', 'Recurring', 'MOTO'],
    entryMode: ['Online', 'MOTO'],
    authorizationType: ['FinalAuth', 'PreAuth'],
  },
  'POST /accounts': {
    onboardingFlow: ['Hosted', 'NonHosted'],
    entityType: ['Business', 'Individual'],
    'settings.payouts.schedule.type': ['Automatic', 'Manual'],
  },
  'POST /accounts/{id}/persons': {
    gender: ['Female', 'Male'],
    'businessRoles.0': ['BusinessContact', 'Director', 'UltimateBeneficialOwner'],
  },
  'POST /accounts/{id}/payout-methods': { type: ['BankAccount'] },
};
