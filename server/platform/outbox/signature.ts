import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header that carries the signature of a delivery (Spec §6.6). */
export const SIGNATURE_HEADER = 'Signature';

/**
 * HMAC-SHA256 over the exact bytes of a body, in lower-case hex. The key is the whole text of the secret, its
 * `whs_` included (Spec §6.6).
 */
export function signatureOf(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Whether a delivery was signed with this secret, in a time that does not depend on where it differs. */
export function verifySignature(secret: string, body: string | Uint8Array, given: string): boolean {
  const right = Buffer.from(signatureOf(secret, body));
  const claimed = Buffer.from(given);
  return claimed.length === right.length && timingSafeEqual(claimed, right);
}
