import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import type { RacingShop } from './racing-shop.ts';

/** Gives the sub account a payout method and manual payouts, and the platform money that is available. */
export async function prepareBalances(shop: RacingShop): Promise<string> {
  const path = `/v1/accounts/${shop.subAccountId}`;
  await shop.good('PATCH', path, { settings: { payouts: { schedule: { type: 'Manual' } } } });
  const { id } = await shop.good('POST', `${path}/payout-methods`, BANK_ACCOUNT);
  for (let paid = 0; paid < 4; paid += 1) await shop.paid({ amount: 900_000 });
  await shop.advance(5 * 86_400);
  return id;
}
