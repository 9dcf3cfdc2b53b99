import { createHash } from 'node:crypto';
import { messageOf } from '../../../protocol/failures.ts';
import type { ServedFile } from '../../platform/http/pages/served-file.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { ServerSettings } from '../../platform/settings.ts';

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
