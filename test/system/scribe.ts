import { expect } from 'vitest';
import type { Json } from './http-call.ts';
import { orNothing } from './killed-payment.ts';
import type { Tapbench } from './tapbench.ts';

/** Somebody who makes objects one after another and writes down what the server acknowledged. */
export interface Scribe {
  /** Makes objects until the server does not answer any more. */
  write(): Promise<void>;
  /** Everything that was ever acknowledged is there, as it was shown then. */
  check(): Promise<void>;
  readonly count: number;
}

export function openScribe(tapbench: Tapbench): Scribe {
  const kept: { path: string; shown: Json }[] = [];
  let made = 0;

  // Of these no event tells: the events of a test are those of its payment.
  const bodies = (): [string, object][] => [
    ['/v1/in-person/locations', { name: `Shop ${made}`, address: ADDRESS, metadata: { made: `${made}` } }],
    ['/v1/in-person/terminals', { serialNumber: `TILL-${1000 + made}`, locationId: tapbench.locationId }],
  ];

  return {
    async write() {
      for (;;) {
        const [path, body] = bodies()[made++ % 2]!;
        const answer = await orNothing(tapbench.api('POST', path, body));
        if (!answer) return;
        expect([path, answer.status]).toEqual([path, 200]);
        kept.push({ path: `${path}/${answer.body.id}`, shown: answer.body });
      }
    },
    async check() {
      for (const { path, shown } of kept.splice(0)) {
        const { status, body } = await tapbench.api('GET', path);
        expect([status, body]).toEqual([200, expect.objectContaining(shown)]);
      }
    },
    get count() {
      return made;
    },
  };
}

const ADDRESS = { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
