import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { respondWith, status, SW } from './apdu.ts';
import type { Chip, CommandHandler } from './chip-state.ts';
import { signDynamicData } from './dynamic-signature.ts';
import { readDolValues } from './dol.ts';

const DYNAMIC_NUMBER_BYTES = 8;

/** INTERNAL AUTHENTICATE: dynamic data authentication (EMV 4.4 Book 3 §6.5.9; Book 2 §6.5). */
export const internalAuthenticate: CommandHandler = ({ chip, image, transaction }, { p1, p2, data }) => {
  const { ddol } = image.facts;
  if (ddol === undefined) return status(SW.unknownInstruction);
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (!transaction || transaction.stage !== 'started') return status(SW.notNow);
  if (!readDolValues(fromHex(ddol), data)) return status(SW.wrongLength);
  transaction.dynamicallySigned = true;
  const signature = signDynamicData(chip.issued.iccKey, iccDynamicNumber(chip), data);
  // §6.5.9.4 allows both formats, and terminals must read both.
  return respondWith(
    chip.profile.scheme === 'Mastercard'
      ? encodeTlv('77', encodeTlv('9F4B', signature))
      : encodeTlv('80', signature),
  );
};

/** ICC dynamic number (9F4C) with its length, as it begins the dynamic data (Book 2 §6.5.2, table 16). */
export function iccDynamicNumber({ random }: Chip): Uint8Array {
  return concat(Uint8Array.of(DYNAMIC_NUMBER_BYTES), random.bytes(DYNAMIC_NUMBER_BYTES));
}
