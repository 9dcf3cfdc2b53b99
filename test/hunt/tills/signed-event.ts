import { createHmac } from 'node:crypto';
import type { Delivery } from '../../../testing/world/receivers.ts';

/** Returns whether an event has the signature of its endpoint. */
export function isSigned({ body, signature }: Delivery, secret: string): boolean {
  return signature.includes(createHmac('sha256', secret).update(body).digest('hex'));
}
