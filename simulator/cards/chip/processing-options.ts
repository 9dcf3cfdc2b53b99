import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { isQvsdc } from './application.ts';
import { respondWith, status, SW } from './apdu.ts';
import type { CommandHandler, PoweredChip, Transaction } from './chip-state.ts';
import { readDolValues } from './dol.ts';
import { qvsdcResponse } from './qvsdc.ts';

const COUNTER_MAX = 0xffff;

/** GET PROCESSING OPTIONS: starts a transaction (EMV 4.4 Book 3 §6.5.8). */
export const getProcessingOptions: CommandHandler = (powered, { p1, p2, data }) => {
  const { chip, image, selected } = powered;
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (!selected || selected === 'directory' || powered.transaction) return status(SW.notNow);
  if (chip.memory.applicationBlocked || chip.memory.transactionCounter === COUNTER_MAX) {
    return status(SW.notNow);
  }
  // Command template 83 (§6.5.8.3) with a one-byte length.
  if (data.length < 2 || data[0] !== 0x83 || data[1] !== data.length - 2) return status(SW.wrongLength);
  const pdolData = data.subarray(2);
  const values = readDolValues(fromHex(image.facts.pdol ?? ''), pdolData);
  if (!values) return status(SW.wrongLength);
  chip.memory.transactionCounter += 1;
  powered.transaction = newTransaction(pdolData, values);
  return isQvsdc(image.facts)
    ? qvsdcResponse(powered, powered.transaction)
    : respondWith(profileAndLocator(powered));
};

function newTransaction(pdolData: Uint8Array, values: Map<string, Uint8Array>): Transaction {
  return {
    stage: 'started',
    pdolData,
    cdol1Data: new Uint8Array(0),
    values,
    first: undefined,
    arqc: undefined,
    pin: 'notTried',
    pinEnciphered: false,
    issuer: 'notReceived',
    relatedData: undefined,
    dynamicallySigned: false,
  };
}

/** Format 1 for contact (§6.5.8.4), format 2 for contactless (EMV Contactless Book C-2 §5.4). */
function profileAndLocator({ image, technology }: PoweredChip): Uint8Array {
  const aip = fromHex(image.facts.aip);
  return technology === 'Contact'
    ? encodeTlv('80', concat(aip, image.locator))
    : encodeTlv('77', concat(encodeTlv('82', aip), encodeTlv('94', image.locator)));
}
