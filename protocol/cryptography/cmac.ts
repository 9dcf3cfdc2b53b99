import { concat } from '../emv/tlv.ts';
import { aesCbcEncrypt, aesEncrypt } from './aes.ts';
import { pad, xor } from './blocks.ts';

const BLOCK_BYTES = 16;

/** Computes an AES-CMAC (RFC 4493 §2.4). Key and result have 16 bytes. */
export function aesCmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  const first = doubled(aesEncrypt(key, new Uint8Array(BLOCK_BYTES)));
  const whole = data.length > 0 && data.length % BLOCK_BYTES === 0;
  const padded = whole ? data : pad(data, '80', BLOCK_BYTES);
  const last = xor(padded.subarray(-BLOCK_BYTES), whole ? first : doubled(first));
  return aesCbcEncrypt(key, concat(padded.subarray(0, -BLOCK_BYTES), last)).subarray(-BLOCK_BYTES);
}

/** Shifts a block left by one bit, and XORs 87 into the last byte when a bit was shifted out (RFC 4493 §2.3). */
function doubled(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const shifted = Uint8Array.from(block, (byte, at) => (byte << 1) | ((block[at + 1] ?? 0) >> 7));
  if (block[0]! & 0x80) shifted[BLOCK_BYTES - 1]! ^= 0x87;
  return shifted;
}
