import { encodeTlv } from '../../../protocol/emv/tlv.ts';
import { record } from './application.ts';
import { respondWith, status, SW } from './apdu.ts';
import type { CommandHandler } from './chip-state.ts';
import { DIRECTORY_SFI, directoryRecord } from './select.ts';

/** READ RECORD (EMV 4.4 Book 3 §6.5.11). */
export const readRecord: CommandHandler = (powered, { p1, p2 }) => {
  const { chip, image, selected, technology, transaction } = powered;
  const sfi = p2 >> 3;
  if ((p2 & 0x07) !== 0x04 || p1 === 0 || sfi === 0 || sfi > 30) return status(SW.wrongParameters);
  if (selected === 'directory' && technology === 'Contact') {
    if (sfi !== DIRECTORY_SFI) return status(SW.notFound);
    return p1 === 1 ? respondWith(directoryRecord(chip)) : status(SW.recordNotFound);
  }
  if (!transaction) return status(SW.notNow);
  const file = image.files.get(sfi);
  if (!file) return status(SW.notFound);
  const found = file[p1 - 1];
  if (!found) return status(SW.recordNotFound);
  if (found !== 'relatedData') return respondWith(found);
  if (!transaction.relatedData) return status(SW.recordNotFound);
  return respondWith(record(encodeTlv('9F69', transaction.relatedData)));
};
