import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import { countWalletDomains, type WalletDomainRow, walletDomains } from './wallet-domain.records.ts';
import { WALLET_DOMAINS_MAX } from './wallet-domain.rules.ts';

/**
 * Registers a domain on which a wallet may be shown (Spec §4.10). It has been checked by `refuseUnverifiedDomain`.
 * @throws Refusal `wallet_domain_used` or `wallet_domains_limit`.
 */
export async function registerWalletDomain(
  services: Context,
  accountId: string,
  domainName: string,
): Promise<WalletDomainRow> {
  const { clock, ids, store } = services;
  return store.transaction(async (tx) => {
    const full = (await countWalletDomains(tx, accountId)) >= WALLET_DOMAINS_MAX;
    const domain = { id: ids.make('walletDomain'), accountId, domainName };
    const row = await walletDomains.insertUnlessTaken(tx, domain, clock.nowMs());
    if (!row) throw new Refusal('wallet_domain_used');
    if (full) throw new Refusal('wallet_domains_limit', { most: WALLET_DOMAINS_MAX });
    return row;
  });
}
