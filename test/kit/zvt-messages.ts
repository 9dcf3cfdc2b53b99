/** Splits bytes into ZVT messages: class, instruction, length (FF and two bytes for a long one), data. */
export function messagesIn(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex').toUpperCase();
  const messages: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const isLong = bytes[at + 2] === 0xff;
    const length = isLong ? bytes[at + 3]! + bytes[at + 4]! * 256 : bytes[at + 2]!;
    const end = at + (isLong ? 5 : 3) + length;
    messages.push(hex.slice(at * 2, end * 2));
    at = end;
  }
  return messages;
}
