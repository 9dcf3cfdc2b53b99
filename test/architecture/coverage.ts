/** The test that shows something: a file under `test/` and the title of the test in it, as it is written. */
export type Shown = readonly [file: string, title: string];

const PAYMENTS = 'server/api/payments';
const ACCOUNTS = 'server/api/accounts/accounts.test.ts';
const PERSONS = 'server/api/accounts/persons.test.ts';
const PAYOUT_METHODS = 'journeys/payout-method.test.ts';
const LEDGER = 'journeys/ledger.test.ts';
const DISPUTES = 'journeys/dispute.test.ts';
const WALLETS = 'server/api/wallets/wallet.test.ts';
const LOCATIONS = 'server/api/in-person/location.test.ts';
const TERMINALS = 'server/api/in-person/terminal.test.ts';
const CATALOGUE = 'server/api/in-person/catalogue.test.ts';
const WEBHOOKS = 'server/api/webhooks/webhook.test.ts';
const CUSTOMERS = 'server/api/customers/customer.test.ts';
const METHODS = 'server/api/customers/payment-method.test.ts';
const SUBSCRIPTIONS = 'server/api/subscriptions';

const METHOD_LIFE = 'a payout method is added, renamed and taken away, and its number is never seen again';
const TRANSFERS = 'money goes from a sub account to the platform and back, and no more than there is';
const CONVERSIONS = 'one currency is sold for another: priced, then settled, with an event for each';
const EVIDENCE =
  'a dispute takes the money, evidence is gathered and submitted, and winning brings the money back';
const SITES = 'a site registered under one path is there under the other, until it is taken away';

/** Every operation of the specification, section by section, and a test that shows what it does. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  'Spec §4.1': {
    'POST /payment-sessions': [
      `${PAYMENTS}/session-rules.test.ts`,
      'a session shows what it was asked for, with what the account says for the rest',
    ],
    'GET /payment-sessions': [
      `${PAYMENTS}/list.test.ts`,
      'a list shows the sessions of today, newest first, unless it is asked for a window',
    ],
    'GET /payment-sessions/{paymentSessionId}': [
      `${PAYMENTS}/attempt.test.ts`,
      'a client secret opens a session to either key, but under another account it is not there',
    ],
    'PATCH /payment-sessions/{paymentSessionId}': [
      `${PAYMENTS}/update.test.ts`,
      'until it is paid a session takes changes; what is not named stays',
    ],
    'POST /payment-sessions/attempt-payment': [
      `${PAYMENTS}/attempt.test.ts`,
      'a payment with a card is captured, and shows of the card what may be shown',
    ],
    'POST /payment-sessions/continue-payment': [
      `${PAYMENTS}/three-ds.test.ts`,
      'a browser is told where to show itself, then where the cardholder is asked',
    ],
    'GET /payment-sessions/{paymentSessionId}/transactions': [
      `${PAYMENTS}/captures-voids-refunds.test.ts`,
      'transactions are listed in pages and read one by one',
    ],
    'GET /payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}': [
      `${PAYMENTS}/captures-voids-refunds.test.ts`,
      'transactions are listed in pages and read one by one',
    ],
    'POST /payment-sessions/{paymentSessionId}/captures': [
      `${PAYMENTS}/captures-voids-refunds.test.ts`,
      'an approved payment is captured whole, or in part, which lets go the rest',
    ],
    'POST /payment-sessions/{paymentSessionId}/voids': [
      `${PAYMENTS}/captures-voids-refunds.test.ts`,
      'a void gives the whole amount back, whatever the body holds',
    ],
    'POST /payment-sessions/{paymentSessionId}/refunds': [
      `${PAYMENTS}/captures-voids-refunds.test.ts`,
      'a payment is refunded in parts, never more than was captured',
    ],
  },
  'Spec §4.2': {
    'POST /webhooks': [WEBHOOKS, 'an endpoint is registered, and its secret is told in that answer alone'],
    'GET /webhooks': [
      WEBHOOKS,
      'endpoints are listed newest first and belong to the platform whatever the Account header says',
    ],
    'GET /webhooks/{webhookId}': [
      WEBHOOKS,
      'an endpoint is registered, and its secret is told in that answer alone',
    ],
    'PATCH /webhooks/{webhookId}': [WEBHOOKS, 'a change takes any part, null is no part, and the rest stays'],
    'DELETE /webhooks/{webhookId}': [WEBHOOKS, 'a deleted endpoint is gone, and so is its secret'],
    'GET /events': [
      'server/api/webhooks/event.test.ts',
      'events are paged through in both directions, ties in the order they were recorded',
    ],
    'GET /events/{eventId}': [
      'server/api/webhooks/event.test.ts',
      'an event carries the whole object, and says whom it was told and how that stands',
    ],
  },
  'Spec §4.3': {
    'POST /accounts': [ACCOUNTS, 'a NonHosted business is asked for what it did not say'],
    'GET /accounts/{id}': [ACCOUNTS, 'an account is seen by its platform alone'],
    'PATCH /accounts/{id}': [ACCOUNTS, 'a change leaves what it does not name, and replaces what it does'],
    'POST /accounts/{id}/verify': [
      ACCOUNTS,
      'verify answers the account of a business, and is not for individuals',
    ],
    'POST /accounts/authorize': [
      'server/api/accounts/account-links.test.ts',
      'the holder of an account agrees that the platform acts for it',
    ],
    'POST /account-links': [
      'server/api/accounts/account-links.test.ts',
      'a link leads to a page of this server for two hours',
    ],
  },
  'Spec §4.4': {
    'POST /accounts/{id}/persons': [PERSONS, 'a director is asked for a proof of identity'],
    'GET /accounts/{id}/persons': [PERSONS, 'persons come in pages, newest first'],
    'GET /accounts/{id}/persons/{personId}': [PERSONS, 'a person is found under the own account alone'],
    'PATCH /accounts/{id}/persons/{personId}': [
      PERSONS,
      'a proof of identity submits a person; another role changes what is asked',
    ],
    'DELETE /accounts/{id}/persons/{personId}': [
      PERSONS,
      'a person whose verification has not begun is deleted, with the files that no other document shows',
    ],
  },
  'Spec §4.5': {
    'POST /accounts/{id}/payout-methods': [PAYOUT_METHODS, METHOD_LIFE],
    'GET /accounts/{id}/payout-methods': [
      PAYOUT_METHODS,
      'an account has one payout method for each currency',
    ],
    'GET /accounts/{id}/payout-methods/{payoutMethodId}': [PAYOUT_METHODS, METHOD_LIFE],
    'PATCH /accounts/{id}/payout-methods/{payoutMethodId}': [PAYOUT_METHODS, METHOD_LIFE],
    'DELETE /accounts/{id}/payout-methods/{payoutMethodId}': [PAYOUT_METHODS, METHOD_LIFE],
  },
  'Spec §4.6': {
    'POST /accounts/{id}/payouts': [
      'journeys/payout.test.ts',
      'a payout by hand takes what it needs, and carries over what is too much',
    ],
    'GET /accounts/{id}/payouts': [
      'journeys/payout.test.ts',
      'payouts are listed under both names, by either token, and by when payments were taken',
    ],
    'GET /accounts/{id}/payouts/{payoutId}': [
      'journeys/payout.test.ts',
      "Monday's payments are paid out on Wednesday, less what went, and the shop hears of it",
    ],
  },
  'Spec §4.7': {
    'POST /transfers': [LEDGER, TRANSFERS],
    'GET /transfers': [LEDGER, TRANSFERS],
    'GET /transfers/{id}': [LEDGER, TRANSFERS],
    'GET /balances': [LEDGER, 'balances are those asked for, with zeros where there never was any'],
    'GET /balance-transactions': [LEDGER, 'balance transactions come in pages'],
    'POST /conversions': [LEDGER, CONVERSIONS],
    'GET /conversions': [LEDGER, CONVERSIONS],
    'GET /conversions/{conversionId}': [LEDGER, CONVERSIONS],
    'GET /conversions/rate': [LEDGER, 'no rates while the desk is closed, nor for who asks too often'],
    'GET /platform-fees': [
      LEDGER,
      'a payment becomes available after two business days, and its platform fee is seen on both sides',
    ],
    'GET /platform-fees/{platformFeeId}': [
      LEDGER,
      'a payment becomes available after two business days, and its platform fee is seen on both sides',
    ],
    'GET /platform-fees/{platformFeeId}/refunds': [
      LEDGER,
      'a refund gives back its part of the platform fee',
    ],
  },
  'Spec §4.8': {
    'POST /customers': [CUSTOMERS, 'a customer is what was said, and can be fetched'],
    'GET /customers': [CUSTOMERS, 'customers are listed newest first, page by page'],
    'GET /customers/{customerId}': [CUSTOMERS, 'a customer is what was said, and can be fetched'],
    'PATCH /customers/{customerId}': [CUSTOMERS, 'an update changes what it names, and never the address'],
    'DELETE /customers/{customerId}': [CUSTOMERS, 'a deleted customer is gone, and all payment methods too'],
    'GET /customers/{customerId}/payment-methods': [
      METHODS,
      'a customer shows the cards that are kept, not the tokens of single payments',
    ],
    'GET /payment-methods/{paymentMethodId}': [METHODS, 'a kept card is shown without its number'],
    'PATCH /payment-methods/{paymentMethodId}': [
      METHODS,
      'an address is replaced whole: what is not given is gone',
    ],
    'DELETE /payment-methods/{paymentMethodId}': [METHODS, 'only a stored one can be deleted'],
    'POST /subscriptions': [
      `${SUBSCRIPTIONS}/create.test.ts`,
      'with a stored card the first cycle is paid at once',
    ],
    'GET /subscriptions': [
      `${SUBSCRIPTIONS}/change.test.ts`,
      'show the subscriptions of today unless asked, newest first',
    ],
    'GET /subscriptions/{subscriptionId}': [
      `${SUBSCRIPTIONS}/billing.test.ts`,
      'each cycle shows when it began, when it ends and when it is billed next',
    ],
    'PATCH /subscriptions/{subscriptionId}': [`${SUBSCRIPTIONS}/change.test.ts`, 'changes what it names'],
    'PATCH /subscriptions/{subscriptionId}/pause': [
      `${SUBSCRIPTIONS}/pause.test.ts`,
      'a pause is scheduled, takes effect when the next cycle is due, and lasts until it is ended',
    ],
    'PATCH /subscriptions/{subscriptionId}/resume': [
      `${SUBSCRIPTIONS}/pause.test.ts`,
      'a pause is scheduled, takes effect when the next cycle is due, and lasts until it is ended',
    ],
    'DELETE /subscriptions/{subscriptionId}/cancel': [
      `${SUBSCRIPTIONS}/change.test.ts`,
      'cancels at once and for good',
    ],
    'GET /subscriptions/{subscriptionId}/payment-sessions': [
      `${SUBSCRIPTIONS}/change.test.ts`,
      'show the sessions of one subscription from its beginning',
    ],
  },
  'Spec §4.9': {
    'GET /disputes': [
      DISPUTES,
      "a platform sees its sub accounts' disputes, and bears what a sub account cannot pay",
    ],
    'GET /disputes/{disputeId}': [DISPUTES, EVIDENCE],
    'POST /disputes/{disputeId}/accept': [
      DISPUTES,
      'what is lost, accepted or not answered in time stays lost; what is withdrawn comes back',
    ],
    'PATCH /disputes/{disputeId}/evidence': [DISPUTES, EVIDENCE],
    'DELETE /disputes/{disputeId}/evidence': [DISPUTES, EVIDENCE],
    'POST /disputes/{disputeId}/challenge': [DISPUTES, EVIDENCE],
  },
  'Spec §4.10': {
    'POST /wallet-pay/web-domains': [WALLETS, SITES],
    'GET /wallet-pay/web-domains': [WALLETS, SITES],
    'GET /wallet-pay/web-domains/{id}': [WALLETS, SITES],
    'DELETE /wallet-pay/web-domains/{id}': [WALLETS, SITES],
    'POST /wallet-pay/sessions': [WALLETS, 'a session is opaque text, for any site'],
  },
  'Spec §4.11': {
    'POST /in-person/locations': [LOCATIONS, 'a location with %s is made'],
    'GET /in-person/locations': [
      'server/platform/http/paging.test.ts',
      'a page is ten items, newest first, ties in the order they were made',
    ],
    'GET /in-person/locations/{id}': [LOCATIONS, 'a location is shown whole, with null for what is empty'],
    'PATCH /in-person/locations/{id}': [LOCATIONS, 'to %s'],
    'DELETE /in-person/locations/{id}': [
      LOCATIONS,
      'is refused while a terminal stands there, and done once it has gone',
    ],
  },
  'Spec §4.12': {
    'POST /in-person/terminals': [TERMINALS, 'a terminal with %s is registered'],
    'GET /in-person/terminals': [TERMINALS, 'terminals are listed with their latest actions, newest first'],
    'GET /in-person/terminals/{id}': [TERMINALS, 'a terminal is shown whole; it has no action yet'],
    'PATCH /in-person/terminals/{id}': [TERMINALS, 'to %s'],
    'DELETE /in-person/terminals/{id}': [TERMINALS, 'makes it unknown, for payments too'],
    'POST /in-person/terminals/{id}/payment': [
      'journeys/payment.test.ts',
      'a tapped payment ends captured, and the shop hears of it in order',
    ],
    'POST /in-person/terminals/{id}/refund': [
      'journeys/refund.test.ts',
      'a payment is refunded in part, then the rest, and no more',
    ],
    'POST /in-person/terminals/{id}/cancel-action': [
      'journeys/cancel.test.ts',
      'cancel ends the action at once and a new one starts',
    ],
    'POST /in-person/terminals/{id}/confirm-receipt': [
      'journeys/point-of-sale-receipt.test.ts',
      'merchant copy, customer copy, captured; events in that order',
    ],
  },
  // Named without their paths.
  'Spec §4.13': {
    'POST /files': ['server/api/files/files.test.ts', 'a file is what it was uploaded as'],
    'GET /files': ['server/api/files/files.test.ts', 'files are listed newest first, by category if asked'],
    'GET /files/{id}': ['server/api/files/files.test.ts', 'a file is what it was uploaded as'],
    'GET /in-person/products': [CATALOGUE, 'products are listed newest first, in pages, and fetched by id'],
    'GET /in-person/products/{id}': [
      CATALOGUE,
      'products are listed newest first, in pages, and fetched by id',
    ],
    'GET /in-person/skus': [CATALOGUE, 'SKUs are those of one country, and of one product if it is named'],
    'GET /in-person/skus/{id}': [
      CATALOGUE,
      'SKUs are those of one country, and of one product if it is named',
    ],
    'GET /in-person/orders': [
      CATALOGUE,
      'orders belong to the platform, and are not seen from a sub account',
    ],
    'GET /in-person/orders/{id}': [
      CATALOGUE,
      'orders belong to the platform, and are not seen from a sub account',
    ],
  },
};

/** The same operations under the paths that client libraries use (docs/choices.md). */
export const ALIASES: Readonly<Record<string, string>> = {
  'DELETE /subscriptions/{subscriptionId}': 'DELETE /subscriptions/{subscriptionId}/cancel',
  'POST /apple-pay/web-domains': 'POST /wallet-pay/web-domains',
  'GET /apple-pay/web-domains': 'GET /wallet-pay/web-domains',
  'GET /apple-pay/web-domains/{id}': 'GET /wallet-pay/web-domains/{id}',
  'DELETE /apple-pay/web-domains/{id}': 'DELETE /wallet-pay/web-domains/{id}',
  'POST /apple-pay/sessions': 'POST /wallet-pay/sessions',
};
