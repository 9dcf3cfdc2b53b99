import { amountWords } from '../till/outcomes.ts';
import { currencyOf } from './commands.ts';
import { CONTROL, createSerialParser, createTcpParser, type Apdu, type ZvtFrame } from './frame.ts';
import { APPROVED, INTERMEDIATE, resultText } from './result-codes.ts';
import { parseStatusInformation } from './status-information.ts';

const NAMES: Record<number, string> = {
  [CONTROL.registration]: 'registration of the till',
  [CONTROL.authorisation]: 'payment',
  [CONTROL.repeatReceipt]: 'the last receipt again',
  [CONTROL.preAuthorisation]: 'reservation',
  [CONTROL.reversal]: 'reversal',
  [CONTROL.refund]: 'refund',
  [CONTROL.endOfDay]: 'end of day',
  [CONTROL.abort]: 'abort',
  [CONTROL.statusEnquiry]: 'what is your state?',
  [CONTROL.statusInformation]: 'result',
  [CONTROL.completion]: 'completed',
  [CONTROL.printLine]: 'a line to print',
  [CONTROL.printTextBlock]: 'text to print',
  [CONTROL.positive]: 'command accepted',
};

/** Commands whose data begin with the password of the till. */
const WITH_PASSWORD: readonly number[] = [CONTROL.refund, CONTROL.reversal];
const PASSWORD_BYTES = 3;

/** Commands and responses whose bitmaps have an amount or a receipt. */
const WITH_BITMAPS: readonly number[] = [
  CONTROL.authorisation,
  CONTROL.preAuthorisation,
  CONTROL.refund,
  CONTROL.reversal,
  CONTROL.statusInformation,
];

const DLE = 0x10;

/** Says in plain words what a frame is: no texts of the terminal, and nothing of the card. */
export function describeFrame(bytes: Uint8Array): string | undefined {
  const parser = bytes[0] === DLE || bytes.length === 1 ? createSerialParser() : createTcpParser();
  const words = parser.push(bytes).map(describe);
  return words.length === 0 ? undefined : words.join('; ');
}

function describe(frame: ZvtFrame): string {
  if (frame.type === 'ack') return 'block received (ACK)';
  if (frame.type === 'nak') return 'block damaged, send it again (NAK)';
  if (frame.type === 'broken') return 'a damaged block';
  const { apdu } = frame;
  const { control, data } = apdu;
  if (control === CONTROL.intermediateStatus) return `state: ${stateOf(data[0])}`;
  if (control === CONTROL.aborted) return `ended without a payment: ${resultText(data[0] ?? 0)}`;
  if (control >> 8 === 0x84) return `command refused: ${resultText(control & 0xff)}`;
  const name = NAMES[control] ?? `command ${control.toString(16).toUpperCase().padStart(4, '0')}`;
  return WITH_BITMAPS.includes(control) ? [name, ...factsOf(apdu)].join(', ') : name;
}

function stateOf(code: number | undefined): string {
  const name = Object.entries(INTERMEDIATE).find(([, value]) => value === code)?.[0];
  return name === undefined
    ? `code ${code}`
    : name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Result, amount and receipt of a command or a result, as far as it has them. */
function factsOf({ control, data }: Apdu): string[] {
  const start = WITH_PASSWORD.includes(control) ? PASSWORD_BYTES : 0;
  const { resultCode, amountMinor, currency, receiptNumber } = parseStatusInformation(data.subarray(start));
  return [
    resultCode !== undefined && (resultCode === APPROVED ? 'approved' : resultText(resultCode)),
    amountMinor !== undefined && amountWords(amountMinor, currency && currencyOf(currency)),
    receiptNumber !== undefined && `receipt ${receiptNumber}`,
  ].filter((fact) => fact !== false);
}
