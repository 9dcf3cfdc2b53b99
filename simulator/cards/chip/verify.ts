import { timingSafeEqual } from 'node:crypto';
import { rsaSign } from '../../../protocol/cryptography/rsa.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { OK, status, SW, type ResponseApdu } from './apdu.ts';
import type { CommandHandler, PoweredChip, Transaction } from './chip-state.ts';

const PLAINTEXT = 0x80;
const ENCIPHERED = 0x88;
const PIN_BLOCK_BYTES = 8;
const ENCIPHERED_HEADER = 0x7f;

/** VERIFY: verifies the PIN offline and counts the tries (EMV 4.4 Book 3 §6.5.12; Book 2 §7). */
export const verify: CommandHandler = (powered, { p1, p2, data }) => {
  const { chip, technology, transaction } = powered;
  const form = p2 === PLAINTEXT ? 'plaintext' : p2 === ENCIPHERED ? 'enciphered' : undefined;
  if (technology === 'Contactless') return status(SW.unknownInstruction);
  if (p1 !== 0 || !form || !chip.profile.chip.offlinePin?.includes(form)) return status(SW.wrongParameters);
  if (!transaction || transaction.stage !== 'started') return status(SW.notNow);
  if (data.length !== (form === 'plaintext' ? PIN_BLOCK_BYTES : keyBytes(powered)))
    return status(SW.wrongLength);
  // §6.5.12.5: no tries left.
  if (chip.memory.pinTriesLeft === 0) return failed(transaction, status(SW.pinBlocked));
  if (form === 'enciphered' && !powered.challenge) return status(SW.pinUnusable);
  if (form === 'enciphered') transaction.pinEnciphered = true;
  const block = form === 'plaintext' ? data : decryptPinBlock(powered, data);
  if (block && timingSafeEqual(block, plaintextPinBlock(chip.profile.pin!.digits))) {
    chip.memory.pinTriesLeft = chip.profile.pin!.tries;
    transaction.pin = 'passed';
    return OK;
  }
  chip.memory.pinTriesLeft -= 1;
  return failed(transaction, status(SW.pinRejected | chip.memory.pinTriesLeft));
};

function failed(transaction: Transaction, answer: ResponseApdu): ResponseApdu {
  transaction.pin = 'failed';
  return answer;
}

function keyBytes({ chip }: PoweredChip): number {
  return chip.issued.iccKey.modulus.length / 2;
}

/**
 * Decrypts header, PIN block, challenge and padding (Book 2 §7.2). Returns the PIN block; undefined when it is not
 * for this card and challenge.
 */
function decryptPinBlock({ chip, challenge }: PoweredChip, data: Uint8Array): Uint8Array | undefined {
  const modulus = fromHex(chip.issued.iccKey.modulus);
  if (Buffer.compare(data, modulus) >= 0) return undefined;
  const clear = rsaSign(chip.issued.iccKey, data);
  const block = clear.subarray(1, 1 + PIN_BLOCK_BYTES);
  const echoed = clear.subarray(1 + PIN_BLOCK_BYTES, 1 + PIN_BLOCK_BYTES + challenge!.length);
  const ours = clear[0] === ENCIPHERED_HEADER && Buffer.from(echoed).equals(challenge!);
  return ours ? block : undefined;
}

/** Encodes a plaintext PIN block (Book 3 §6.5.12, table 24): format 2, length, digits, padded with F. */
function plaintextPinBlock(digits: string): Uint8Array {
  return fromHex(`2${digits.length.toString(16)}${digits.padEnd(14, 'F')}`);
}
