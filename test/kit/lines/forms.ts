import type { Direction, MessageForm } from './mutations.ts';

const STX = 0x02;
const ETX = 0x03;
const DLE = 0x10;

/** Returns a message with its last byte as `check` of those between STX and ETX; others, such as acknowledgements, as they are. */
function withXor(message: Uint8Array, start: number): Uint8Array {
  if (message[0] !== STX || message.at(-2) !== ETX) return message;
  const sealed = Uint8Array.from(message);
  sealed[sealed.length - 1] = message.subarray(1, -1).reduce((check, byte) => check ^ byte, start);
  return sealed;
}

/** Leaves out the end of what is between STX and ETX. */
function shortened(message: Uint8Array, pick: (below: number) => number): Uint8Array {
  if (message[0] !== STX || message.at(-2) !== ETX) return message.slice(0, -1);
  return Uint8Array.of(...message.slice(0, 1 + pick(message.length - 3)), ETX, 0);
}

/** Changes a run of digits in a text into another number. */
function otherDigits(message: Uint8Array, pattern: RegExp, pick: (below: number) => number): Uint8Array {
  const text = Buffer.from(message).toString('latin1');
  const found = [...text.matchAll(pattern)];
  const one = found[pick(found.length)];
  if (!one) return message;
  const [all, before, digits] = one as unknown as [string, string, string];
  const other = String(pick(10 ** Math.min(digits.length, 6))).padStart(digits.length, '0');
  const at = one.index + before.length;
  return Buffer.from(`${text.slice(0, at)}${other}${text.slice(one.index + all.length)}`, 'latin1');
}

/** CRC of ZVT on a serial line (PA00P015 §3.3): over the message and ETX, without the doubled DLE. */
function zvtSeal(message: Uint8Array): Uint8Array {
  if (message[0] !== DLE || message[1] !== STX || message.at(-4) !== DLE || message.at(-3) !== ETX)
    return message;
  const inside: number[] = [];
  for (let at = 2; at < message.length - 4; at += 1) {
    inside.push(message[at]!);
    if (message[at] === DLE && message[at + 1] === DLE) at += 1;
  }
  let crc = 0;
  for (const byte of [...inside, ETX]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  const sealed = Uint8Array.from(message);
  sealed[sealed.length - 2] = crc & 0xff;
  sealed[sealed.length - 1] = crc >> 8;
  return sealed;
}

/** Changes the byte at a place, which is a length. */
function otherByte(message: Uint8Array, at: number, pick: (below: number) => number): Uint8Array {
  return message.map((byte, index) => (index === at ? pick(256) : byte));
}

/**
 * A command, whose answer is as right for the next one (`please wait`) and which a payment does twice; an abort (06 1E), which
 * also answers that there is no last receipt. Acknowledgements and answers are not among them.
 */
function isNewAgainInZvt(message: Uint8Array, direction: Direction): boolean {
  const [control, instruction] = message.subarray(2);
  return direction === 'to the till'
    ? control === 0x06 && instruction === 0x1e
    : control === 0x05 || control === 0x06;
}

/** A payment, and the result of one. */
function isNewAgainInEcr17(message: Uint8Array, direction: Direction): boolean {
  const code = String.fromCharCode(message[10] ?? 0);
  return message[0] === STX && (direction === 'to the till' ? 'EV' : 'PX').includes(code);
}

const DEEP = '['.repeat(20_000);
const httpOf = (body: string, length: number | string = Buffer.byteLength(body)) =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`;
const postOf = (body: string, length: number | string = Buffer.byteLength(body)) =>
  `POST /nexo/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

const STRANGE_JSON = [
  DEEP,
  `${DEEP}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'null',
  '[]',
  '{"SaleToPOIResponse":[]}',
  '{"SaleToPOIRequest":null}',
  '{"SaleToPOIResponse":{"MessageHeader":{"MessageType":1e999},"NexoBlob":{}}}',
  '{"SaleToPOIRequest":{"MessageHeader":{"MessageCategory":"constructor"},"NexoBlob":1,"SecurityTrailer":[]}}',
  `{"SaleToPOIRequest":{"MessageHeader":{"ServiceID":"${'9'.repeat(200_000)}"}}}`,
  '{"__proto__":{"SaleToPOIRequest":{}},"SaleToPOIResponse":{"__proto__":null}}',
  `"${'\\u0000'.repeat(10_000)}"`,
];

/** The forms of messages, by language. */
export const FORMS = {
  zvtSerial: {
    seal: zvtSeal,
    lie: (message, pick) => zvtSeal(otherByte(message, 4, pick)),
    isNewAgain: isNewAgainInZvt,
  },
  zvtTcp: { reliesOnConnection: true, lie: (message, pick) => otherByte(message, 2 + pick(3), pick) },
  caisseAp: { hasNoCheck: true, lie: (message, pick) => otherDigits(message, /([A-Z]{2})([0-9]{3})/g, pick) },
  // Over the text and ETX, from 7F.
  ecr17: {
    seal: (message) => withXor(message, 0x7f),
    lie: (message, pick) => withXor(shortened(message, pick), 0x7f),
    isNewAgain: isNewAgainInEcr17,
  },
  concert: {
    seal: (message) => withXor(message, 0),
    lie: (message, pick) => withXor(shortened(message, pick), 0),
  },
  nexo: {
    lie: (message, pick) => otherDigits(message, /(Length: )([0-9]+)/gi, pick),
    strange: STRANGE_JSON.flatMap((json) => [
      httpOf(json),
      postOf(json),
      httpOf(json, 99_999_999),
      postOf(json, '-1'),
    ]),
  },
} satisfies Record<string, MessageForm>;
