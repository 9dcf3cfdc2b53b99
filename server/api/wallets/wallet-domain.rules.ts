import { isIP } from 'node:net';
import { Refusal } from '../../platform/http/refusals.ts';

export const WALLET_DOMAINS_MAX = 99; // Spec §8

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
