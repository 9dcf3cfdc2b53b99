import { INDIVIDUAL, PAYOUT_METHOD } from './account-paths.ts';
import { PAYMENT, SESSION } from './payment-paths.ts';
import type { RequestStep, TriggerPath } from './trigger-path.ts';

const DAY_SECONDS = 86_400;
const account = '{account.id}';

const SALE: RequestStep = { ...SESSION, account, body: { ...SESSION.body, amount: 100_000 } };
const SALE_PAYMENT: RequestStep = { ...PAYMENT, account };

// What is sold on a Thursday is available on Monday, and there is no longer wait (docs/choices.md, Balances).
const AVAILABILITY: RequestStep = {
  name: 'availability',
  request: 'POST /sandbox/clock/advance',
  body: { seconds: 4 * DAY_SECONDS },
};
/** A new sub account with 1,000.00 on its balance, less fees. */
const EARNINGS = [INDIVIDUAL, SALE, SALE_PAYMENT, AVAILABILITY];

const PAYOUT: RequestStep = {
  name: 'payout',
  request: 'POST /v1/accounts/{account.id}/payouts',
  body: { amount: 1000, currency: 'GBP', payoutMethodId: '{payoutMethod.id}' },
};

const TRANSFER: RequestStep = {
  name: 'transfer',
  request: 'POST /v1/transfers',
  body: { amount: 1000, currency: 'GBP', source: { accountId: account } },
};

const CONVERSION: RequestStep = {
  name: 'conversion',
  request: 'POST /v1/conversions',
  account,
  body: { sell: { amount: 1000, currency: 'GBP' }, buy: { currency: 'EUR' }, termAgreement: true },
};
// No exchange opens at the weekend.
const OPENING: RequestStep = {
  name: 'opening',
  request: 'POST /sandbox/clock/advance',
  body: { seconds: 3 * DAY_SECONDS },
};

const FEE_SALE: RequestStep = { ...SESSION, account, body: { ...SESSION.body, platformFee: 100 } };
const FEE_REFUND: RequestStep = {
  name: 'refund',
  request: 'POST /v1/payment-sessions/{session.id}/refunds',
  account,
  body: { refundPlatformFee: true },
};

/** How each event of payouts, transfers, conversions and platform fees comes about. */
export const MONEY_PATHS = {
  'Payout.created': { main: 'payout', owner: account, steps: [...EARNINGS, PAYOUT_METHOD, PAYOUT] },
  'Payout.status_updated': {
    main: 'payout',
    owner: account,
    steps: [
      ...EARNINGS,
      PAYOUT_METHOD,
      PAYOUT,
      {
        name: 'outcome',
        request: 'POST /sandbox/payouts/{payout.id}/outcome',
        body: { status: 'Completed' },
      },
    ],
  },
  'Transfer.created': { main: 'transfer', steps: [...EARNINGS, TRANSFER] },
  // A transfer changes only when its source has too little.
  'Transfer.updated': { main: 'transfer', steps: [INDIVIDUAL, TRANSFER] },
  'Conversion.created': { main: 'conversion', steps: [...EARNINGS, CONVERSION] },
  'Conversion.updated': { main: 'conversion', steps: [...EARNINGS, CONVERSION, OPENING] },
  'PlatformFee.created': { main: 'session', steps: [INDIVIDUAL, FEE_SALE, SALE_PAYMENT] },
  'PlatformFee.refunded': { main: 'session', steps: [INDIVIDUAL, FEE_SALE, SALE_PAYMENT, FEE_REFUND] },
} as const satisfies Record<string, TriggerPath>;
