const NO_SANDBOXES = [400, /keeps no other sandboxes/] as const;
const NO_REQUESTS = [409, /stores no requests/] as const;
const NO_ACTION = [400, /no action/] as const;

/** Operations whose example is refused for what the objects of the prepared sandbox are: status and message. */
export const STATE_REFUSALS: Record<string, readonly [status: number, message: RegExp]> = {
  'POST /payment-sessions/continue-payment': [400, /has no required action/],
  'POST /accounts': [409, /with this email already exists/],
  'POST /accounts/{id}/payout-methods': [400, /already has a payout method for GBP/],
  'POST /conversions': [400, /the balance is too low/],
  'POST /customers': [409, /already exists/],
  'DELETE /customers/{customerId}': [400, /has a subscription/],
  'PATCH /subscriptions/{subscriptionId}/resume': [400, /not Paused/],
  'POST /disputes/{disputeId}/challenge': [400, /evidence is required/],
  'POST /wallet-pay/web-domains': [409, /already registered/],
  'POST /apple-pay/web-domains': [409, /already registered/],
  'DELETE /in-person/locations/{id}': [400, /has a terminal/],
  'POST /in-person/terminals': [409, /already registered/],
  'POST /in-person/terminals/{id}/confirm-receipt': NO_ACTION,
  'POST /sandbox/terminals/{id}/press-keys': NO_ACTION,
  'POST /sandbox/terminals/{id}/control': [400, /nothing is beside this terminal/],
  'POST /sandbox/terminals/{id}/settle': [409, /whose outcome is unknown/],
  'POST /sandbox/terminals/{id}/remove-card': [400, /no card at the reader/],
  'POST /sandbox/payment-sessions/{id}/authentication': [400, /has no required action/],
  'POST /sandbox/disputes/{id}/outcome': [400, /while the dispute is Open/],
  'GET /sandbox/requests': NO_REQUESTS,
  'GET /sandbox/requests/{id}': NO_REQUESTS,
  'POST /sandboxes': NO_SANDBOXES,
  'GET /sandboxes': NO_SANDBOXES,
  'GET /sandboxes/{name}': NO_SANDBOXES,
  'PATCH /sandboxes/{name}': NO_SANDBOXES,
  'DELETE /sandboxes/{name}': NO_SANDBOXES,
  'POST /sandboxes/{name}/dashboard-link': NO_SANDBOXES,
  'POST /sandboxes/{name}/snapshots': NO_SANDBOXES,
  'GET /sandboxes/{name}/snapshots': NO_SANDBOXES,
  'GET /sandboxes/{name}/snapshots/{id}': NO_SANDBOXES,
  'DELETE /sandboxes/{name}/snapshots/{id}': NO_SANDBOXES,
};
