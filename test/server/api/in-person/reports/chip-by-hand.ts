import { createDukptProtection, memoryKeyCounter } from '../../../../../agent/readers/card-protection.ts';
import { deriveCardKey } from '../../../../../protocol/cryptography/card-keys.ts';
import {
  cryptogramKey,
  cryptogramOf,
  type CryptogramVersionName,
} from '../../../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex, toHex } from '../../../../../protocol/emv/hex.ts';
import { concat, encodeTlv, findTlv } from '../../../../../protocol/emv/tlv.ts';
import { seededRandom } from '../../../../../protocol/ids.ts';
import type { ChipRequest, MaskedCard } from '../../../../../protocol/messages/card-data.schema.ts';
import type { TerminalKeys } from '../../../../../protocol/terminal-keys.ts';

const MASTER_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');

const IADS: Record<CryptogramVersionName, string> = {
  'visa-10': '06010A03A0A000',
  'visa-18': '06011203A0A000',
  'mastercard-14': '0114A04003240000000000000000000000FF',
  'amex-01': '06010103A0A000',
};

/** A chip card of the issuer, as far as a request for authorisation shows it. */
export interface HandMadeChip {
  number: string;
  sequenceNumber: string;
  version: CryptogramVersionName;
  card: MaskedCard;
}

export const VISA_18 = chip('4761739001010010', 'visa-18', 'Visa');
export const VISA_10 = chip('4761739001010119', 'visa-10', 'Visa');
export const MASTERCARD = chip('5413330089020011', 'mastercard-14', 'Mastercard');
export const AMEX = chip('374245455400126', 'amex-01', 'Amex');

function chip(number: string, version: CryptogramVersionName, scheme: MaskedCard['scheme']): HandMadeChip {
  const card: MaskedCard = {
    scheme,
    bin: number.slice(0, 6),
    last4: number.slice(-4),
    expiryMonth: '12',
    expiryYear: '2039',
    entryMode: 'Contact',
  };
  return { number, sequenceNumber: '01', version, card };
}

export interface ByHand {
  /** Data objects in place of those of a payment of 10.00 GBP. The cryptogram is made over them. */
  objects?: Record<string, string>;
  /** In place of the good cryptogram. */
  cryptogram?: string;
  pin?: string;
}

/** What a payment of 10.00 GBP says, in the order of nothing. */
const PAYMENT: Record<string, string> = {
  '9F02': '000000001000',
  '9F03': '000000000000',
  '9F1A': '0826',
  '95': '0000008000',
  '5F2A': '0826',
  '9A': '260105',
  '9C': '00',
  '9F37': '52BF4585',
  '82': '3D00',
  '9F36': '0065',
  '9F27': '80',
};

/** A reader with the keys of a pairing and nothing else; each request is a transaction of its own. */
export function readerByHand(keys: TerminalKeys) {
  const protection = createDukptProtection({
    keys,
    counter: memoryKeyCounter(),
    random: seededRandom('by hand'),
  });
  const cardDataOf = ({ number, sequenceNumber }: HandMadeChip) =>
    concat(encodeTlv('5A', packed(number)), encodeTlv('5F34', fromHex(sequenceNumber)));

  return {
    insert(of: HandMadeChip, { objects = {}, cryptogram, pin }: ByHand = {}): ChipRequest {
      const transaction = protection.transaction();
      const data: Record<string, string> = { ...PAYMENT, '9F10': IADS[of.version], ...objects };
      const made = toHex(cryptogramByHand(of, data));
      const clear = Object.entries({ ...data, '9F26': cryptogram ?? made }).map(([tag, value]) =>
        encodeTlv(tag, fromHex(value)),
      );
      return {
        emv: toHex(concat(...clear)),
        cardData: transaction.cardData(cardDataOf(of)),
        ...(pin !== undefined && { pin: transaction.pin(pin, of.number) }),
      };
    },
    swipe: ({ number }: HandMadeChip): ChipRequest => ({
      emv: '',
      cardData: protection.transaction().cardData(encodeTlv('57', packed(`${number}D3912201`))),
    }),
  };
}

function packed(digits: string): Uint8Array {
  return fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
}

function cryptogramByHand(of: HandMadeChip, data: Record<string, string>): Uint8Array {
  const cardKey = deriveCardKey(MASTER_KEY, of.number, of.sequenceNumber);
  const key = cryptogramKey(of.version, cardKey, fromHex(data['9F36']!));
  return cryptogramOf(of.version, key, (tag) => (data[tag] === undefined ? undefined : fromHex(data[tag])));
}

/** 8A and 91 of an answer, in hexadecimal. */
export function answerOf(chipResponse: { emv: string } | undefined): {
  code: string | undefined;
  data: string | undefined;
} {
  const emv = fromHex(chipResponse?.emv ?? '');
  const value = (tag: string) => {
    const found = findTlv(emv, tag);
    return found && toHex(found);
  };
  return { code: value('8A'), data: value('91') };
}
