import { concat } from '../../protocol/emv/tlv.ts';
import { CardError, type CardConnection } from './card-connection.ts';

/** A command to a card (EMV 4.4 Book 3 §6.3). */
interface Command {
  name: string;
  cla: number;
  ins: number;
  p1: number;
  p2: number;
  data?: Uint8Array;
  /** Whether the response has data. Le is then 00, the maximum. */
  expectsData: boolean;
}

export interface Response {
  data: Uint8Array;
  /** SW1 and SW2. */
  status: number;
}

export const OK = 0x9000;

const ROUNDS_MAX = 8;
// 256 bytes and the status bytes (ISO/IEC 7816-4, short length).
const RESPONSE_MAX = 258;

/**
 * Sends a command and returns the whole response with its status. Handles the procedure bytes of T=0: 61xx is
 * followed by GET RESPONSE, 6Cxx by the same command with another length (EMV 4.4 Book 1 §9.3.1.2).
 * @throws CardLostError, Fault `reader` as `transceive`; CardError when the response has an invalid length.
 */
export async function send(connection: CardConnection, command: Command): Promise<Response> {
  let next = encodeCommand(command);
  let data = new Uint8Array(0);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const response = await connection.transceive(next);
    if (response.length < 2 || response.length > RESPONSE_MAX) {
      throw new CardError('wrong_length', `${command.name}: a response of ${response.length} bytes`);
    }
    const [sw1, sw2] = [response.at(-2)!, response.at(-1)!];
    data = concat(data, response.subarray(0, -2));
    if (sw1 === 0x6c) next = withLength(next, command, sw2);
    else if (sw1 === 0x61) next = Uint8Array.of(0x00, 0xc0, 0x00, 0x00, sw2);
    else return { data, status: (sw1 << 8) | sw2 };
  }
  throw new CardError('status_words', `${command.name}: the card does not come to an end`);
}

/** Encodes a command (EMV 4.4 Book 1 §9.4.1, Figure 13). */
export function encodeCommand({ cla, ins, p1, p2, data, expectsData }: Command): Uint8Array<ArrayBuffer> {
  const body = data ? concat(Uint8Array.of(data.length), data) : new Uint8Array(0);
  return concat(Uint8Array.of(cla, ins, p1, p2), body, new Uint8Array(expectsData ? 1 : 0));
}

function withLength(
  sent: Uint8Array<ArrayBuffer>,
  command: Command,
  length: number,
): Uint8Array<ArrayBuffer> {
  // The length of a GET RESPONSE may be corrected too. Both end with Le.
  const again = command.expectsData || sent[1] === 0xc0 ? sent.slice() : concat(sent, new Uint8Array(1));
  again[again.length - 1] = length;
  return again;
}

/** Returns the data of a response. @throws CardError `status_words` when the status is not 9000. */
export function requireSuccess(command: Command, { data, status }: Response): Uint8Array {
  if (status !== OK) throw statusWordError(command, status);
  return data;
}

export function statusWordError({ name }: Command, status: number): CardError {
  return new CardError('status_words', `${name}: the card answers ${statusText(status)}`);
}

function statusText(status: number): string {
  return status.toString(16).toUpperCase().padStart(4, '0');
}

/** SELECT by name (EMV 4.4 Book 1 §11.3). `next` selects the next application whose name starts with `name`. */
export function select(name: Uint8Array, next: boolean = false): Command {
  return {
    name: 'SELECT',
    cla: 0x00,
    ins: 0xa4,
    p1: 0x04,
    p2: next ? 0x02 : 0x00,
    data: name,
    expectsData: true,
  };
}

/** READ RECORD (EMV 4.4 Book 1 §11.2). */
export function readRecord(sfi: number, record: number): Command {
  return { name: 'READ RECORD', cla: 0x00, ins: 0xb2, p1: record, p2: (sfi << 3) | 0x04, expectsData: true };
}

/** GET PROCESSING OPTIONS with the values of the PDOL in a template 83 (EMV 4.4 Book 3 §6.5.8). */
export function getProcessingOptions(values: Uint8Array): Command {
  const wrapped = values.length < 0x80 ? [0x83, values.length] : [0x83, 0x81, values.length];
  const data = concat(Uint8Array.from(wrapped), values);
  return { name: 'GET PROCESSING OPTIONS', cla: 0x80, ins: 0xa8, p1: 0, p2: 0, data, expectsData: true };
}

/** GET DATA (EMV 4.4 Book 3 §6.5.7). */
export function getData(tag: number): Command {
  return { name: 'GET DATA', cla: 0x80, ins: 0xca, p1: tag >> 8, p2: tag & 0xff, expectsData: true };
}

/** INTERNAL AUTHENTICATE (EMV 4.4 Book 3 §6.5.9). */
export function internalAuthenticate(data: Uint8Array): Command {
  return { name: 'INTERNAL AUTHENTICATE', cla: 0x00, ins: 0x88, p1: 0, p2: 0, data, expectsData: true };
}

/** GET CHALLENGE (EMV 4.4 Book 3 §6.5.6). */
export function getChallenge(): Command {
  return { name: 'GET CHALLENGE', cla: 0x00, ins: 0x84, p1: 0, p2: 0, expectsData: true };
}

/** VERIFY (EMV 4.4 Book 3 §6.5.12). P2 is 80 for a plaintext PIN, 88 for an enciphered one. */
export function verify(qualifier: 0x80 | 0x88, data: Uint8Array): Command {
  return { name: 'VERIFY', cla: 0x00, ins: 0x20, p1: 0, p2: qualifier, data, expectsData: false };
}

/** GENERATE AC (EMV 4.4 Book 3 §6.5.5). */
export function generateAc(controlParameter: number, data: Uint8Array): Command {
  return { name: 'GENERATE AC', cla: 0x80, ins: 0xae, p1: controlParameter, p2: 0, data, expectsData: true };
}

/** EXTERNAL AUTHENTICATE (EMV 4.4 Book 3 §6.5.4). */
export function externalAuthenticate(data: Uint8Array): Command {
  return { name: 'EXTERNAL AUTHENTICATE', cla: 0x00, ins: 0x82, p1: 0, p2: 0, data, expectsData: false };
}
