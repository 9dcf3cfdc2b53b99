import { encodeResponse, parseCommand, status, SW, type ResponseApdu, type Command } from './apdu.ts';

const GET_RESPONSE = 0xc0;

/**
 * T=0 between a card with contacts and its reader (EMV 4.4 Book 1 §9.3.1, Annex A): a card does not know how much
 * the reader expects when data have come in, and announces what it has (61xx) to be fetched by GET RESPONSE; where
 * it does know, it says the right length (6Cxx) unless that was asked for.
 */
export function t0Transport(run: (command: Command) => ResponseApdu): (bytes: Uint8Array) => Uint8Array {
  let waiting: ResponseApdu | undefined;
  const hand = (answer: ResponseApdu, le: number | undefined): ResponseApdu => {
    const length = answer.data?.length ?? 0;
    if (length === 0) return answer;
    waiting = answer;
    if (le === undefined) return status(0x6100 | (length & 0xff));
    if (le !== length) return status(0x6c00 | (length & 0xff));
    waiting = undefined;
    return answer;
  };
  let asked: Uint8Array | undefined;
  return (bytes) => {
    const command = parseCommand(bytes);
    if (!command) return encodeResponse(status(SW.wrongLength));
    const again = waiting && sameBut(bytes, asked);
    asked = bytes.slice();
    if (command.cla === 0x00 && command.ins === GET_RESPONSE) {
      return encodeResponse(waiting ? hand(waiting, command.le) : status(SW.notNow));
    }
    // The same command with the right length is not a second one.
    const answer = again ? waiting! : run(command);
    waiting = undefined;
    return encodeResponse(hand(answer, command.data.length > 0 ? undefined : command.le));
  };
}

/** A command without data, sent again with another length expected. */
function sameBut(bytes: Uint8Array, before: Uint8Array | undefined): boolean {
  if (bytes.length !== 5 || before?.length !== 5) return false;
  return Buffer.from(bytes.subarray(0, 4)).equals(before.subarray(0, 4));
}
