import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { CHARACTER_SETS } from './charset.ts';
import {
  ENQUIRY_UNVERSIONED,
  ENQUIRY_WITH_CONTAINER,
  REPEAT_UNPRINTED,
  REPEAT_WITH_STATUS,
  RESULT,
} from './codes.ts';
import { packedNumber, type Fields } from './fields.ts';
import {
  printCopies,
  ecrCapabilities,
  sendResult,
  type CommandContext,
  type CommandHandler,
} from './command-context.ts';
import type { Registration } from './registration.ts';
import { isTaken, reversalOf, runSale, type SaleRequest } from './sale.ts';
import * as outgoingMessages from './outgoing-messages.ts';

const EURO = '0978';

/** Handles 06 01, 06 22 and 06 31. */
export function sale(kind: SaleRequest['kind']): CommandHandler {
  return async (parts, command) => {
    const amountMinor = packedNumber(command.fields.get(0x04));
    const currency = currencyIn(command.fields);
    if (!amountMinor) return outgoingMessages.aborted(RESULT.protocolError);
    if (!isTaken(currency)) return outgoingMessages.aborted(RESULT.wrongCurrency);
    command.setAbortable(true);
    const sendsIntermediateStatus = command.registration?.sendsIntermediateStatus ?? false;
    const committed = () => command.setAbortable(false);
    const made = await runSale(
      { ...parts, ecr: command.ecr, sendsIntermediateStatus, committed },
      { kind, amountMinor, currency },
    );
    return typeof made === 'number' ? outgoingMessages.aborted(made) : sendResult(parts, command, made);
  };
}

function currencyIn(fields: Fields): string {
  const value = fields.get(0x49);
  return value ? toHex(value) : EURO;
}

/** Handles 06 30. */
export const reverse: CommandHandler = async (parts, command) => {
  const number = packedNumber(command.fields.get(0x87));
  const original = parts.memory.journal.find(
    ({ receiptNumber, kind }) => receiptNumber === number && kind !== 'reversal',
  );
  if (!original || original.resultCode !== RESULT.approved)
    return outgoingMessages.aborted(RESULT.reversalNotPossible);
  if (original.reversed) return outgoingMessages.aborted(RESULT.alreadyReversed);
  return sendResult(parts, command, reversalOf(original, parts.memory, parts.clock.nowMs()));
};

/** Handles 06 20. Without a service byte it prints, and sends no status information (§2.20). */
export const repeatReceipt: CommandHandler = async (parts, command) => {
  const { last } = parts.memory;
  if (!last) return outgoingMessages.aborted(RESULT.functionNotPossible);
  const service = serviceByte(command);
  if (service & REPEAT_WITH_STATUS)
    await command.ecr.send(
      outgoingMessages.statusInformation(last, parts.memory.terminalId, ecrCapabilities(command)),
    );
  if (!(service & REPEAT_UNPRINTED)) await printCopies(parts, command, last);
  return outgoingMessages.completion();
};

/** Handles 05 01. Without a service byte it sends its software version, and no TLV container (§2.55). */
export const sendStatus: CommandHandler = async ({ clock, memory }, command) => {
  const service = serviceByte(command);
  return outgoingMessages.statusCompletion({
    withVersion: !(service & ENQUIRY_UNVERSIONED),
    withContainer: (service & ENQUIRY_WITH_CONTAINER) !== 0,
    terminalId: memory.terminalId,
    atMs: clock.nowMs(),
  });
};

const serviceByte = ({ fields }: CommandContext): number => fields.get(0x03)?.[0] ?? 0;

/** Handles 06 00. */
export const register: CommandHandler = async ({ memory }, { registration }) =>
  outgoingMessages.registrationCompletion(memory.terminalId, registration && negotiatedOptions(registration));

/** Encodes the character set in use (14) and the supported ones (27), for an ECR that has sent one (14). */
function negotiatedOptions({ negotiatesCharacterSet, characterSet }: Registration): Uint8Array | undefined {
  if (!negotiatesCharacterSet) return undefined;
  const setObject = (number: number) => encodeTlv('14', Uint8Array.of(number));
  const known = Object.keys(CHARACTER_SETS).map((number) => setObject(Number(number)));
  return concat(setObject(characterSet), encodeTlv('27', concat(...known)));
}
