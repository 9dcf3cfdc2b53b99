import { concat } from '../../protocol/emv/tlv.ts';
import { Fault } from '../../protocol/failures.ts';

/**
 * Converts a command APDU for T=0 (ISO/IEC 7816-3 §12.2): a header of five bytes and the data, without Le after data.
 * The card returns 61xx then, and the caller sends GET RESPONSE.
 * @throws Fault `reader` for a command that T=0 cannot carry.
 */
export function commandForT0(apdu: Uint8Array): Uint8Array {
  if (apdu.length === 4) return concat(apdu, Uint8Array.of(0x00));
  if (apdu.length === 5) return apdu;
  const count = apdu[4];
  if (!count || (apdu.length !== 5 + count && apdu.length !== 6 + count)) {
    throw new Fault('reader', 'the card speaks T=0, which carries short commands only');
  }
  return apdu.subarray(0, 5 + count);
}
