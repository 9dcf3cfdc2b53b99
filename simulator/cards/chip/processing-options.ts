import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { readDolValues, respondWith, status, SW, type ResponseApdu } from './apdu.ts';
import { isQvsdc, track2Of } from './application.ts';
import type { CommandHandler, PoweredChip, Transaction } from './chip-state.ts';
import { CID, counterBytes, issuerApplicationData, signTransaction } from './cryptogram.ts';
import { signDynamicData } from './dynamic-authentication.ts';

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

/** Bits of 9F66, terminal transaction qualifiers (EMV Contactless Book C-3, Annex A). */
const TTQ = {
  qualified: [0, 0x20],
  onlinePin: [0, 0x04],
  signature: [0, 0x02],
  signedOnline: [0, 0x01],
  verificationRequired: [1, 0x40],
  onDevice: [2, 0x40],
} as const;

/** Cardholder verification methods as bits of 9F6C (Book C-3, Annex A). */
const VERIFICATIONS = {
  onDevice: { supportedBy: TTQ.onDevice, qualifiers: [0x00, 0x80] },
  onlinePin: { supportedBy: TTQ.onlinePin, qualifiers: [0x80, 0x00] },
  signature: { supportedBy: TTQ.signature, qualifiers: [0x40, 0x00] },
} as const;

/**
 * Returns the qVSDC response to GET PROCESSING OPTIONS: the cryptogram, with an fDDA signature where the reader
 * supports it (EMV Contactless Book C-3 §5.4). The card always goes online.
 */
function qvsdcResponse(powered: PoweredChip, transaction: Transaction): ResponseApdu {
  const { chip, image } = powered;
  const terminal = transaction.values.get('9F66') ?? new Uint8Array(4);
  const has = ([at, mask]: readonly [number, number]) => (terminal[at]! & mask) !== 0;
  if (!has(TTQ.qualified)) return status(SW.notNow);
  const verification = has(TTQ.verificationRequired)
    ? image.facts.verification?.find((one) => has(VERIFICATIONS[one].supportedBy))
    : undefined;
  const unverifiable = has(TTQ.verificationRequired) && !verification;
  const declines = unverifiable || chip.profile.chip.behaviour?.declinesOffline;
  const [first = 0, second = 0] = fromHex(image.facts.qualifiers!);
  const added = verification ? VERIFICATIONS[verification].qualifiers : [0, 0];
  const qualifiers = Uint8Array.of(first | added[0], second | added[1]);

  transaction.first = declines ? 'AAC' : 'ARQC';
  transaction.stage = 'ended';
  const iad = issuerApplicationData(chip, transaction, { first: transaction.first });
  const cryptogram = signTransaction(powered, transaction, iad);
  const signature =
    !declines && has(TTQ.signedOnline) ? fddaSignature(powered, transaction, qualifiers) : undefined;
  return respondWith(
    encodeTlv(
      '77',
      concat(
        encodeTlv('82', fromHex(image.facts.aip)),
        signature ? encodeTlv('94', image.locator) : new Uint8Array(0),
        encodeTlv('57', track2Of(chip.profile)),
        encodeTlv('5F34', fromHex(chip.profile.chip.sequenceNumber)),
        encodeTlv('9F10', iad),
        encodeTlv('9F26', cryptogram),
        encodeTlv('9F27', Uint8Array.of(CID[transaction.first])),
        encodeTlv('9F36', counterBytes(chip)),
        encodeTlv('9F6C', qualifiers),
        encodeTlv('9F6E', fromHex(image.facts.formFactor ?? '20700000')),
        signature ? encodeTlv('9F4B', signature) : new Uint8Array(0),
      ),
    ),
  );
}

/**
 * Computes an fDDA signature, version 01 (Book C-3, Annex C): the dynamic number is the transaction counter; the hash
 * covers unpredictable number, amount, currency and 9F69. 9F69 is a separate record: version, card unpredictable
 * number, qualifiers.
 */
function fddaSignature({ chip }: PoweredChip, transaction: Transaction, qualifiers: Uint8Array): Uint8Array {
  const relatedData = concat(Uint8Array.of(0x01), chip.random.bytes(4), qualifiers);
  transaction.relatedData = relatedData;
  const sent = ['9F37', '9F02', '5F2A'].map((tag) => transaction.values.get(tag)!);
  const counter = counterBytes(chip);
  const dynamicData = concat(Uint8Array.of(counter.length), counter);
  return signDynamicData(chip.issued.iccKey, dynamicData, concat(...sent, relatedData));
}
