import { createHash } from 'node:crypto';
import { messageOf } from '../../../protocol/failures.ts';
import type { ServedFile } from '../../platform/http/served-file.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { ServerSettings } from '../../platform/settings.ts';

/** Where a site shows that it may show wallets (Spec §4.10). */
export const VERIFICATION_PATH = '/.well-known/apple-developer-merchantid-domain-association';
const VERIFICATION_TYPE = 'application/octet-stream';

// Somebody waits for the answer to a registration.
const FETCH_MS = 5_000;

/**
 * The file that a domain has to serve: the same for all domains of a server, as long as it has its keys. Hex of
 * JSON, as that of the wallets themselves.
 */
export function verificationFile({ publicKey }: Pick<ServerSettings, 'publicKey'>): string {
  const pspId = createHash('sha256').update(publicKey).digest('hex').toUpperCase();
  return Buffer.from(JSON.stringify({ version: 1, pspId }))
    .toString('hex')
    .toUpperCase();
}

/** The file where a domain has to serve it, so that it can be taken from here (Spec §4.10). */
export function providedFile(settings: ServerSettings): ServedFile {
  return { path: VERIFICATION_PATH, type: VERIFICATION_TYPE, text: verificationFile(settings) };
}

/**
 * Fetches the verification file of a domain, if the settings ask for it (docs/choices.md, Wallet domains).
 * @throws Refusal `wallet_domain_unverified`, saying what was there instead.
 */
export async function refuseUnverified(
  { outgoing, settings }: Pick<Services, 'outgoing' | 'settings'>,
  domainName: string,
): Promise<void> {
  if (settings.walletDomainCheck !== 'on') return;
  const url = `https://${domainName}${VERIFICATION_PATH}`;
  const answer = await outgoing.get({ url, headers: {}, timeoutMs: FETCH_MS }).catch(refuse);
  const type = answer.contentType.split(';')[0]!.trim().toLowerCase();
  if (answer.status !== 200) refuse(`it answers ${answer.status}`);
  if (type !== VERIFICATION_TYPE) refuse(`its content type is not ${VERIFICATION_TYPE}`);
  if (answer.body.trim() === '') refuse('it is empty');
  if (answer.body.trim() !== verificationFile(settings))
    refuse(`it is not the file that ${settings.publicUrl}${VERIFICATION_PATH} provides`);
}

function refuse(problem: unknown): never {
  throw new Refusal('wallet_domain_unverified', {
    problem: typeof problem === 'string' ? problem : messageOf(problem),
  });
}
