import { toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';

/** Full data of a card. Used in server/bank/issuer only, and never stored. */
export interface CardData {
  number: string;
  /** Two digits. */
  sequenceNumber: string;
  /** YYMM; undefined when the terminal sent no track. */
  expiry: string | undefined;
}

/**
 * Reads the card from a terminal's decrypted data: BER-TLV with 5A or 57, and 5F34.
 * @throws Fault `garbage_message` when there is no card number in it, or there are two.
 */
export function readCardData(plain: Uint8Array): CardData {
  const pan = findTlv(plain, '5A');
  const track2 = findTlv(plain, '57');
  const [trackNumber, trackData] = track2 ? toHex(track2).split('D') : [];
  const numbers = [
    ...(pan ? [toHex(pan).replace(/F+$/, '')] : []),
    ...(trackNumber === undefined ? [] : [trackNumber]),
  ];
  const [number] = numbers;
  if (number === undefined || !/^[0-9]{12,19}$/.test(number) || numbers.some((other) => other !== number)) {
    throw new Fault('garbage_message', 'there is no card number in the card data');
  }
  const sequenceNumber = toHex(findTlv(plain, '5F34') ?? Uint8Array.of(0));
  if (!/^[0-9]{2}$/.test(sequenceNumber)) {
    throw new Fault('garbage_message', 'the sequence number of the card is none');
  }
  return { number, sequenceNumber, expiry: trackData?.slice(0, 4) };
}
