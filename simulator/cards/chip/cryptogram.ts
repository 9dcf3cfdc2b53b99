import { cryptogramKey, cryptogramOf } from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import type { Chip, CryptogramType, PoweredChip, Transaction } from './chip-state.ts';

/** 9F27 (EMV 4.4 Book 3 §6.5.5.4, table 15). */
export const CID: Record<CryptogramType, number> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };

/** 9F36, two bytes. */
export function counterBytes({ memory }: Chip): Uint8Array {
  return Uint8Array.of(memory.transactionCounter >> 8, memory.transactionCounter & 0xff);
}

/** Returns the key of this transaction's cryptograms. */
export function transactionKey(chip: Chip): Uint8Array {
  const { issued, profile } = chip;
  return cryptogramKey(profile.chip.cryptogramVersion, fromHex(issued.cardKey), counterBytes(chip));
}

/** Computes tag 9F26 over the data of terminal and card (EMV 4.4 Book 2 §8.1). */
export function signTransaction(
  { chip, image }: PoweredChip,
  transaction: Transaction,
  issuerApplicationData: Uint8Array,
): Uint8Array {
  const own: Record<string, Uint8Array> = {
    '82': fromHex(image.facts.aip),
    '9F36': counterBytes(chip),
    '9F10': issuerApplicationData,
  };
  return cryptogramOf(
    chip.profile.chip.cryptogramVersion,
    transactionKey(chip),
    (tag) => own[tag] ?? transaction.values.get(tag),
  );
}
