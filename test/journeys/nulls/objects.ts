import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import type { Api } from '../../../testing/world/api.ts';
import { card, openCheckout } from '../../kit/checkout.ts';
import { address, business, individual } from '../../server/api/accounts/account-bodies.ts';
import { good, type Json } from '../one-of-each.ts';

// Bodies that create objects with every line of their addresses.

const NON_HOSTED = { onboardingFlow: 'NonHosted' };
export const BUSINESS = {
  ...NON_HOSTED,
  entityType: 'Business',
  business: { ...business, tradingAddress: address },
};
export const INDIVIDUAL = { ...NON_HOSTED, entityType: 'Individual', individual };
export const LOCATION = { name: 'Corner Shop', address };
export const METHOD = { ...BANK_ACCOUNT, bankAccount: { ...BANK_ACCOUNT.bankAccount, address } };

/** Creates an account. Returns its path. */
export async function account(api: Api, body: Json = BUSINESS): Promise<string> {
  return `/v1/accounts/${good(await api.post('/v1/accounts', body)).id}`;
}

/** Creates a customer with a stored payment method. */
export async function customer(api: Api) {
  const shop = openCheckout(api);
  const attempt = { cardDetails: card(), paymentMethodOptions: { store: true } };
  const paid = good(await shop.attempt(await shop.session({ customerEmail: 'kim@example.com' }), attempt));
  return {
    path: `/v1/customers/${paid.customerDetails.id}`,
    customerId: paid.customerDetails.id as string,
    paymentMethodId: paid.paymentMethod.tokenizedDetails.id as string,
  };
}
