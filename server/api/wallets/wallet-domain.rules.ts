import { isIP } from 'node:net';
import { Refusal } from '../../platform/http/refusals.ts';

export const WALLET_DOMAINS_MAX = 99; // Spec §8

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
// RFC 1123 §2.1: labels of letters, digits and hyphens. A site that a browser reaches has two at least.
const HOST_NAME = new RegExp(`^(${LABEL}\\.)+${LABEL}$`);

/**
 * A domain name as it is kept, in lower case.
 * @throws Refusal `wallet_domain_name` for what is no host name: a URL, an address, a port.
 */
export function hostNameOf(given: string): string {
  const name = given.trim().toLowerCase();
  if (name.length > 253 || !HOST_NAME.test(name) || isIP(name)) throw new Refusal('wallet_domain_name');
  return name;
}
