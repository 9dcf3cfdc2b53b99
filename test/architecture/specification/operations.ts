/**
 * Every operation of the specification, by section. A test shows it with the tag `spec:SECTION/OPERATION`, the
 * operation without its space: `spec:4.8/POST/customers`.
 */
export const OPERATIONS = {
  '4.1': [
    'POST /payment-sessions',
    'GET /payment-sessions',
    'GET /payment-sessions/{paymentSessionId}',
    'PATCH /payment-sessions/{paymentSessionId}',
    'POST /payment-sessions/attempt-payment',
    'POST /payment-sessions/continue-payment',
    'GET /payment-sessions/{paymentSessionId}/transactions',
    'GET /payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}',
    'POST /payment-sessions/{paymentSessionId}/captures',
    'POST /payment-sessions/{paymentSessionId}/voids',
    'POST /payment-sessions/{paymentSessionId}/refunds',
  ],
  '4.2': [
    'POST /webhooks',
    'GET /webhooks',
    'GET /webhooks/{webhookId}',
    'PATCH /webhooks/{webhookId}',
    'DELETE /webhooks/{webhookId}',
    'GET /events',
    'GET /events/{eventId}',
  ],
  '4.3': [
    'POST /accounts',
    'GET /accounts/{id}',
    'PATCH /accounts/{id}',
    'POST /accounts/{id}/verify',
    'POST /accounts/authorize',
    'POST /account-links',
  ],
  '4.4': [
    'POST /accounts/{id}/persons',
    'GET /accounts/{id}/persons',
    'GET /accounts/{id}/persons/{personId}',
    'PATCH /accounts/{id}/persons/{personId}',
    'DELETE /accounts/{id}/persons/{personId}',
  ],
  '4.5': [
    'POST /accounts/{id}/payout-methods',
    'GET /accounts/{id}/payout-methods',
    'GET /accounts/{id}/payout-methods/{payoutMethodId}',
    'PATCH /accounts/{id}/payout-methods/{payoutMethodId}',
    'DELETE /accounts/{id}/payout-methods/{payoutMethodId}',
  ],
  '4.6': [
    'POST /accounts/{id}/payouts',
    'GET /accounts/{id}/payouts',
    'GET /accounts/{id}/payouts/{payoutId}',
  ],
  '4.7': [
    'POST /transfers',
    'GET /transfers',
    'GET /transfers/{id}',
    'GET /balances',
    'GET /balance-transactions',
    'POST /conversions',
    'GET /conversions',
    'GET /conversions/{conversionId}',
    'GET /conversions/rate',
    'GET /platform-fees',
    'GET /platform-fees/{platformFeeId}',
    'GET /platform-fees/{platformFeeId}/refunds',
  ],
  '4.8': [
    'POST /customers',
    'GET /customers',
    'GET /customers/{customerId}',
    'PATCH /customers/{customerId}',
    'DELETE /customers/{customerId}',
    'GET /customers/{customerId}/payment-methods',
    'GET /payment-methods/{paymentMethodId}',
    'PATCH /payment-methods/{paymentMethodId}',
    'DELETE /payment-methods/{paymentMethodId}',
    'POST /subscriptions',
    'GET /subscriptions',
    'GET /subscriptions/{subscriptionId}',
    'PATCH /subscriptions/{subscriptionId}',
    'PATCH /subscriptions/{subscriptionId}/pause',
    'PATCH /subscriptions/{subscriptionId}/resume',
    'DELETE /subscriptions/{subscriptionId}/cancel',
    'GET /subscriptions/{subscriptionId}/payment-sessions',
  ],
  '4.9': [
    'GET /disputes',
    'GET /disputes/{disputeId}',
    'POST /disputes/{disputeId}/accept',
    'PATCH /disputes/{disputeId}/evidence',
    'DELETE /disputes/{disputeId}/evidence',
    'POST /disputes/{disputeId}/challenge',
  ],
  '4.10': [
    'POST /wallet-pay/web-domains',
    'GET /wallet-pay/web-domains',
    'GET /wallet-pay/web-domains/{id}',
    'DELETE /wallet-pay/web-domains/{id}',
    'POST /wallet-pay/sessions',
  ],
  '4.11': [
    'POST /in-person/locations',
    'GET /in-person/locations',
    'GET /in-person/locations/{id}',
    'PATCH /in-person/locations/{id}',
    'DELETE /in-person/locations/{id}',
  ],
  '4.12': [
    'POST /in-person/terminals',
    'GET /in-person/terminals',
    'GET /in-person/terminals/{id}',
    'PATCH /in-person/terminals/{id}',
    'DELETE /in-person/terminals/{id}',
    'POST /in-person/terminals/{id}/payment',
    'POST /in-person/terminals/{id}/refund',
    'POST /in-person/terminals/{id}/cancel-action',
    'POST /in-person/terminals/{id}/confirm-receipt',
  ],
  // Named without their paths.
  '4.13': [
    'POST /files',
    'GET /files',
    'GET /files/{id}',
    'GET /in-person/products',
    'GET /in-person/products/{id}',
    'GET /in-person/skus',
    'GET /in-person/skus/{id}',
    'GET /in-person/orders',
    'GET /in-person/orders/{id}',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The same operations under the paths that client libraries use (docs/choices.md). */
export const ALIASES: Readonly<Record<string, string>> = {
  'DELETE /subscriptions/{subscriptionId}': 'DELETE /subscriptions/{subscriptionId}/cancel',
  'POST /apple-pay/web-domains': 'POST /wallet-pay/web-domains',
  'GET /apple-pay/web-domains': 'GET /wallet-pay/web-domains',
  'GET /apple-pay/web-domains/{id}': 'GET /wallet-pay/web-domains/{id}',
  'DELETE /apple-pay/web-domains/{id}': 'DELETE /wallet-pay/web-domains/{id}',
  'POST /apple-pay/sessions': 'POST /wallet-pay/sessions',
};

/**
 * Operations that are not in the specification, each with the choice in docs/choices/ that its route cites.
 * `npm run new -- resource` adds them.
 */
export const OWN_OPERATIONS: readonly string[] = [];
