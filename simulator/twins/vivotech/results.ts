import type { DataStore } from '../../../agent/emv/data-store.ts';
import type { HolderVerification } from '../../../agent/emv/cardholder-verification.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { ATTRIBUTION, TRACK_2_TAG, TRANSACTION_CVM_TAG } from './protocol.ts';

// The data objects of a transaction that the reader returns (8.4.18 to 8.4.20, 8.5.3), in parts, each list as in the
// guide.

const STARTED = '57 5A 5F34 5F24 5F20 50 84 9F39'.split(' ');
const MADE =
  '9F26 9F27 9F10 9F37 9F36 95 9B 9A 9F21 9C 9F02 9F03 5F2A 82 9F1A 9F33 9F34 9F35 9F09 9F41 9F1E 9F53'.split(
    ' ',
  );

function objectsOf(store: DataStore, tags: readonly string[]): Uint8Array {
  const objects = tags.flatMap((tag) => {
    const value = store.get(tag);
    return value ? [encodeTlv(tag, value)] : [];
  });
  return concat(...objects);
}

export function startedObjects(store: DataStore): Uint8Array {
  return objectsOf(store, STARTED);
}

export function madeObjects(store: DataStore): Uint8Array {
  return objectsOf(store, MADE);
}

const CVMS: Record<HolderVerification['method'], number> = {
  none: 0,
  offlinePin: 0,
  signature: 1,
  onlinePin: 2,
  onDevice: 3,
  failed: 0,
};

/** What a tap gave. */
export function tapObjects(store: DataStore, holder: HolderVerification['method']): Uint8Array {
  const cvm = encodeTlv(TRANSACTION_CVM_TAG, Uint8Array.of(CVMS[holder]));
  return concat(startedObjects(store), madeObjects(store), cvm);
}

/** Track 2 of the magnetic stripe, as the reader returns it. */
export function stripeObjects(track2: string): Uint8Array {
  return encodeTlv(TRACK_2_TAG, Buffer.from(track2, 'latin1'));
}

/** The answer to 02-40. */
export function activated(where: keyof typeof ATTRIBUTION, objects: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(ATTRIBUTION[where]), objects);
}

/** The answer to 02-01: tracks with their lengths, no clearing record, TLV objects. */
export function activatedLegacy(track2: string, objects: Uint8Array): Uint8Array {
  const track = Buffer.from(track2, 'latin1');
  return concat(Uint8Array.of(0, track.length), track, Uint8Array.of(0, 0), objects);
}

/** The answer to a contact command. */
export function contactResult(result: number, objects: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(result >> 8, result & 0xff, ATTRIBUTION.contact), objects);
}
