import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Receiver } from './receiver.ts';

/** Checks the signature of each delivery. Returns the different bodies of each event that was received, by its id. */
export function signedBodies({ deliveries }: Receiver, secret: string): Map<string, Set<string>> {
  const bodies = new Map<string, Set<string>>();
  for (const { bytes, headers, event } of deliveries) {
    expect(headers['signature']).toBe(createHmac('sha256', secret).update(bytes).digest('hex'));
    bodies.set(event.id, (bodies.get(event.id) ?? new Set()).add(bytes.toString()));
  }
  return bodies;
}
