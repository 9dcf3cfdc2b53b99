import { encodeResponse, parseCommand, status, SW, type ResponseApdu, type Command } from './apdu.ts';

const GET_RESPONSE = 0xc0;

/**
 * Wraps command processing in the T=0 protocol (EMV 4.4 Book 1 §9.3.1, Annex A). After a command with data the card
 * reports the response length (61xx) for GET RESPONSE; after one without data it reports the correct length (6Cxx)
 * when another one was expected.
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
    // A repeat with the correct length is not executed again.
    const answer = again ? waiting! : run(command);
    waiting = undefined;
    return encodeResponse(hand(answer, command.data.length > 0 ? undefined : command.le));
  };
}

/** Returns whether a command without data was repeated with another expected length. */
function sameBut(bytes: Uint8Array, before: Uint8Array | undefined): boolean {
  if (bytes.length !== 5 || before?.length !== 5) return false;
  return Buffer.from(bytes.subarray(0, 4)).equals(before.subarray(0, 4));
}
