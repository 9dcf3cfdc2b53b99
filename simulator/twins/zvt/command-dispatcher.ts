import { COMMAND, POSITIVE, refusal, RESULT, type Apdu } from './apdu.ts';
import * as administration from './command-handlers.ts';
import { book, register, repeatReceipt, reverse, sale, sendStatus } from './command-handlers.ts';
import { createEcrLink, type EcrTransport } from './ecr-link.ts';
import { readFields } from './fields.ts';
import { type CommandHandler, type TerminalParts, ecrCapabilities } from './command-context.ts';
import { readRegistration } from './registration.ts';
import { waitForCard } from './sale.ts';
import * as outgoingMessages from './outgoing-messages.ts';

// A cash register that sets no limit waits this long.
const LONGEST_S = 90;

const TLV_CONTAINER = 0x06;

/**
 * 06 C0: the card within the seconds that the first byte says, its number masked. The status information ends it, with a container
 * when the command has one.
 */
const readCard: CommandHandler = async ({ front }, command) => {
  command.setAbortable(true);
  const sendsIntermediateStatus = command.registration?.sendsIntermediateStatus ?? false;
  const limitMs = (command.data[0] || LONGEST_S) * 1000;
  const card = await waitForCard({ front, ecr: command.ecr, sendsIntermediateStatus, limitMs });
  if (typeof card === 'number') return outgoingMessages.aborted(card);
  if (!card.readable) return outgoingMessages.aborted(RESULT.cardNotReadable);
  const { characters } = ecrCapabilities(command);
  const containers = command.fields.has(TLV_CONTAINER);
  return outgoingMessages.cardInformation(card.masked(card.entryModes[0]!), { characters, containers });
};

const PASSWORD_BYTES = 3;

interface HandlerEntry {
  work: CommandHandler;
  /** Number of bytes before the fields: a password, or the timeout of a card. */
  skip: number;
  /** Allowed before a registration. */
  openToAll?: boolean;
}

const HANDLERS: Record<number, HandlerEntry> = {
  [COMMAND.registration]: { skip: PASSWORD_BYTES, work: register, openToAll: true },
  [COMMAND.statusEnquiry]: { skip: PASSWORD_BYTES, work: sendStatus, openToAll: true },
  [COMMAND.authorisation]: { skip: 0, work: sale('payment') },
  [COMMAND.preAuthorisation]: { skip: 0, work: sale('reservation') },
  [COMMAND.bookReservation]: { skip: 0, work: book },
  [COMMAND.bookTotal]: { skip: 0, work: book },
  [COMMAND.reservationReversal]: { skip: 0, work: reverse },
  [COMMAND.refund]: { skip: PASSWORD_BYTES, work: sale('refund') },
  [COMMAND.reversal]: { skip: PASSWORD_BYTES, work: reverse },
  [COMMAND.repeatReceipt]: { skip: PASSWORD_BYTES, work: repeatReceipt },
  [COMMAND.endOfDay]: { skip: PASSWORD_BYTES, work: administration.endOfDay },
  [COMMAND.turnoverTotals]: { skip: PASSWORD_BYTES, work: administration.turnoverTotals },
  [COMMAND.diagnosis]: { skip: 0, work: administration.report('diagnosis') },
  [COMMAND.initialisation]: { skip: PASSWORD_BYTES, work: administration.report('initialisation') },
  [COMMAND.selfTest]: { skip: PASSWORD_BYTES, work: administration.report('selfTest') },
  [COMMAND.printSystemConfiguration]: { skip: 0, work: administration.report('configuration') },
  [COMMAND.setTerminalId]: { skip: PASSWORD_BYTES, work: administration.setTerminalId },
  [COMMAND.reset]: { skip: 0, work: administration.reset, openToAll: true },
  [COMMAND.readCard]: { skip: 1, work: readCard },
};

/** Runs the commands of the ECR. */
interface CommandDispatcher {
  /** Runs a command until its completion. @throws Fault `reader` when the ECR disconnects. */
  dispatch(apdu: Apdu): Promise<void>;
}

export function createCommandDispatcher(parts: TerminalParts & { line: EcrTransport }): CommandDispatcher {
  const { line, memory } = parts;

  /** Handles commands without a completion. Returns their response, or undefined for other commands. */
  const answerOf = ({ control, data }: Apdu): Apdu | undefined => {
    if (control === COMMAND.abort) return POSITIVE;
    if (control === COMMAND.logOff) {
      memory.registration = undefined;
      return POSITIVE;
    }
    if (control === COMMAND.displayText) {
      memory.display = administration.displayedLines(readFields(data));
      return POSITIVE;
    }
    return undefined;
  };
  const work = async ({ skip, work: run }: HandlerEntry, data: Uint8Array) => {
    await line.send(POSITIVE);
    let abortable = false;
    const ecr = createEcrLink(line, () => abortable);
    const ending = await run(parts, {
      ecr,
      data,
      fields: fieldsOf(data, skip),
      registration: memory.registration,
      setAbortable: (may) => (abortable = may),
    });
    await ecr.send(ending);
  };
  return {
    async dispatch(apdu) {
      const { control, data } = apdu;
      if (memory.busy && control !== COMMAND.abort) return line.send(refusal(RESULT.pleaseWait));
      const answer = answerOf(apdu);
      if (answer) return line.send(answer);
      const known = HANDLERS[control];
      if (!known) return line.send(refusal(RESULT.functionNotPossible));
      if (!memory.registration && !known.openToAll) return line.send(refusal(RESULT.notRegistered));
      if (control === COMMAND.registration) memory.registration = readRegistration(data);
      memory.busy = true;
      try {
        await work(known, data);
      } finally {
        memory.busy = false;
      }
    },
  };
}

/** Parses the fields. Some ECRs send a password where the manual has none; no field starts with its digits. */
function fieldsOf(data: Uint8Array, skip: number): ReturnType<typeof readFields> {
  const fields = readFields(data.subarray(skip));
  return fields.size === 0 && skip === 0 ? readFields(data.subarray(PASSWORD_BYTES)) : fields;
}
