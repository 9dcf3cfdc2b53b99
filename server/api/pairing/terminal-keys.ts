import { createHash, createHmac } from 'node:crypto';
import { adjustParity } from '../../../protocol/cryptography/des.ts';
import { DUKPT, type KeySchemeName } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { TerminalKeys } from '../../../protocol/terminal-keys.ts';

/** A terminal and how often it was paired: together they name one set of keys. */
interface KeySet {
  terminalId: string;
  generation: number;
  scheme: KeySchemeName;
}

/** The keys that a pairing gives out. Derived, so that none is stored and every instance of the server agrees. */
export function terminalKeys(pairingSecret: string, keySet: KeySet): TerminalKeys {
  return {
    scheme: keySet.scheme,
    initialKeyId: toHex(keyIdOf(keySet)),
    initialKey: toHex(initialKeyOf(pairingSecret, keySet)),
  };
}

/** The first key of a set, from the base derivation key of its scheme. */
export function initialKeyOf(pairingSecret: string, keySet: KeySet): Uint8Array {
  const bdk = baseDerivationKey(pairingSecret, keySet.scheme);
  return DUKPT[keySet.scheme].deriveInitialKey(bdk, keyIdOf(keySet));
}

/** By which a key set is known; another one for each pairing. */
export function keyIdOf({ terminalId, generation, scheme }: KeySet): Uint8Array {
  const digest = createHash('sha256').update(`${scheme}:${terminalId}:${generation}`).digest();
  if (scheme === 'AES') return Uint8Array.from(digest.subarray(0, 8));
  // X9.24-1:2009 §A.1: FFFF pads a key serial number of 16 digits; its low 21 bits are the counter.
  const serialNumber = Uint8Array.of(0xff, 0xff, ...digest.subarray(0, 8));
  return DUKPT.TDES.ksnOf(serialNumber, 0);
}

/** From the one pairing secret, as passwords are: kept where it is kept, lost with it, changed by changing it. */
function baseDerivationKey(pairingSecret: string, scheme: KeySchemeName): Uint8Array {
  const key = createHmac('sha256', pairingSecret).update(`base derivation key:${scheme}`).digest('hex');
  const first16 = fromHex(key.slice(0, 32));
  return scheme === 'TDES' ? adjustParity(first16) : first16;
}
