import { Fault } from '../../../protocol/failures.ts';
import { concat } from '../../../protocol/emv/tlv.ts';

/**
 * A command APDU as T=0 carries it (ISO/IEC 7816-3 §12.2): always five bytes of header, then data if there are
 * any, and never the length of the answer after data: the card says 61xx and is asked by GET RESPONSE.
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
