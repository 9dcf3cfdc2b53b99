import { lockAccount } from '../accounts/account.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import { countWalletDomains, walletDomains, type WalletDomainRow } from './wallet-domain.records.ts';
import { isIP } from 'node:net';
import { createHash } from 'node:crypto';
import { messageOf } from '../../../protocol/failures.ts';
import type { ServedFile } from '../../platform/http/pages/served-file.ts';
import type { Services } from '../../platform/services.ts';
import type { ServerSettings } from '../../platform/settings.ts';

const WALLET_DOMAINS_MAX = 99; // Spec §8

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
// RFC 1123 §2.1: labels of letters, digits and hyphens. Public domains have at least two.
const HOST_NAME = new RegExp(`^(${LABEL}\\.)+${LABEL}$`);

/**
 * Parses a domain name; returns it in lower case.
 * @throws Refusal `wallet_domain_name` for a URL, an IP address, a port or any other text that is not a host name.
 */
export function parseHostName(given: string): string {
  const name = given.trim().toLowerCase();
  if (name.length > 253 || !HOST_NAME.test(name) || isIP(name)) throw new Refusal('wallet_domain_name');
  return name;
}

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
  return store.transaction(
    async (tx) => {
      await lockAccount(tx, accountId);
      const full = (await countWalletDomains(tx, accountId)) >= WALLET_DOMAINS_MAX;
      const domain = { id: ids.make('walletDomain'), accountId, domainName };
      const row = await walletDomains.insertUnlessTaken(tx, domain, clock.nowMs());
      if (!row) throw new Refusal('wallet_domain_used');
      if (full) throw new Refusal('wallet_domains_limit', { most: WALLET_DOMAINS_MAX });
      return row;
    },
    { guardedBy: ['registrationLimits'] },
  );
}

/** Path at which a domain serves its verification file (Spec §4.10). */
export const VERIFICATION_PATH = '/.well-known/apple-developer-merchantid-domain-association';
const VERIFICATION_TYPE = 'application/octet-stream';

// The registration waits for this request.
const FETCH_MS = 5_000;

/**
 * Returns the content of the file that a domain must serve: JSON in hexadecimal, as the wallets' own files are. It
 * depends only on the public key, so it is the same for all domains.
 */
export function verificationFile({ publicKey }: Pick<ServerSettings, 'publicKey'>): string {
  const pspId = createHash('sha256').update(publicKey).digest('hex').toUpperCase();
  return Buffer.from(JSON.stringify({ version: 1, pspId }))
    .toString('hex')
    .toUpperCase();
}

/** The verification file for download from this server, at the path of a domain (Spec §4.10). */
export const servedVerificationFile: ServedFile = {
  path: VERIFICATION_PATH,
  type: VERIFICATION_TYPE,
  text: verificationFile,
};

/**
 * Fetches the verification file of a domain and compares it, if the settings turn this on (docs/choices.md, Wallet
 * domains).
 * @throws Refusal `wallet_domain_unverified`, which names the difference.
 */
export async function refuseUnverifiedDomain(
  { outgoing, settings }: Pick<Services, 'outgoing' | 'settings'>,
  domainName: string,
): Promise<void> {
  if (settings.walletDomainCheck !== 'on') return;
  const url = `https://${domainName}${VERIFICATION_PATH}`;
  const response = await outgoing.get({ url, headers: {}, timeoutMs: FETCH_MS }).catch(refuse);
  const type = response.contentType.split(';')[0]!.trim().toLowerCase();
  if (response.status !== 200) refuse(`it answers ${response.status}`);
  if (type !== VERIFICATION_TYPE) refuse(`its content type is not ${VERIFICATION_TYPE}`);
  if (response.body.trim() === '') refuse('it is empty');
  if (response.body.trim() !== verificationFile(settings))
    refuse(`it is not the file that ${settings.publicUrl}${VERIFICATION_PATH} provides`);
}

function refuse(problem: unknown): never {
  throw new Refusal('wallet_domain_unverified', {
    problem: typeof problem === 'string' ? problem : messageOf(problem),
  });
}
