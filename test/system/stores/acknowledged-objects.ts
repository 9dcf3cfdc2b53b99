import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { orUndefined } from './kill-points.ts';
import type { Tapbench } from '../kit/tapbench.ts';

/** Creates objects one after another, and remembers those that the server acknowledged. */
export interface AcknowledgedObjects {
  /** Creates objects until the server no longer replies. */
  create(): Promise<void>;
  /** Checks that every acknowledged object still exists, as it was returned then. */
  check(): Promise<void>;
  readonly count: number;
}

/** @param prefix of serial numbers, its own for each server on one store */
export function createAcknowledgedObjects(tapbench: Tapbench, prefix = 'TILL'): AcknowledgedObjects {
  const acknowledged: { path: string; shown: Json }[] = [];
  let count = 0;
  let { locationId } = tapbench;

  // These objects have no events, so that the events of a test are those of its payment.
  const bodies = (): [string, object][] => [
    [LOCATIONS, { name: `Shop ${count}`, address: ADDRESS, metadata: { made: `${count}` } }],
    ['/v1/in-person/terminals', { serialNumber: `${prefix}-${1000 + count}`, locationId }],
  ];

  return {
    async create() {
      for (;;) {
        // Without terminals of its own a server starts without a location.
        const [path, body] = bodies()[locationId ? count % 2 : 0]!;
        count += 1;
        const answer = await orUndefined(tapbench.api('POST', path, body));
        if (!answer) return;
        expect([path, answer.status]).toEqual([path, 200]);
        if (path === LOCATIONS) locationId = answer.body.id;
        acknowledged.push({ path: `${path}/${answer.body.id}`, shown: answer.body });
      }
    },
    async check() {
      for (const { path, shown } of acknowledged.splice(0)) {
        const { status, body } = await tapbench.api('GET', path);
        expect([status, body]).toEqual([200, expect.objectContaining(shown)]);
      }
    },
    get count() {
      return count;
    },
  };
}

const LOCATIONS = '/v1/in-person/locations';
const ADDRESS = { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
