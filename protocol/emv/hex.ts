import { Fault } from '../failures.ts';

/**
 * Decodes hexadecimal text; whitespace is ignored.
 * @throws Fault `garbage_message` for anything else. The text is not quoted, because it may be card data.
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll(/\s/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(digits)) {
    throw new Fault('garbage_message', 'not an even number of hexadecimal digits');
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/** Encodes bytes as upper-case hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase();
}
