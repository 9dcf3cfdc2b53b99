import { COMMAND, POSITIVE, refusal, RESULT, type Apdu } from './apdu.ts';
import type { CommandHandler, TerminalParts } from './command-context.ts';
import * as administration from './command-handlers.ts';
import { book, perform, readCard, register, sendStatus } from './command-handlers.ts';
import { createEcrLink, type EcrTransport } from './ecr-link.ts';
import { readFields } from './fields.ts';
import { readRegistration } from './registration.ts';

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
  [COMMAND.authorisation]: { skip: 0, work: perform },
  [COMMAND.preAuthorisation]: { skip: 0, work: perform },
  [COMMAND.bookReservation]: { skip: 0, work: book },
  [COMMAND.bookTotal]: { skip: 0, work: book },
  [COMMAND.reservationReversal]: { skip: 0, work: perform },
  [COMMAND.refund]: { skip: PASSWORD_BYTES, work: perform },
  [COMMAND.reversal]: { skip: PASSWORD_BYTES, work: perform },
  [COMMAND.repeatReceipt]: { skip: PASSWORD_BYTES, work: perform },
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
  const { line, memory, registrations, terminal } = parts;

  /** Handles commands without a completion. Returns their response, or undefined for other commands. */
  const answerOf = ({ control, data }: Apdu): Apdu | undefined => {
    if (control === COMMAND.abort) return POSITIVE;
    if (control === COMMAND.logOff) {
      registrations.current = undefined;
      return POSITIVE;
    }
    if (control === COMMAND.displayText) {
      memory.display = administration.displayedLines(readFields(data));
      return POSITIVE;
    }
    return undefined;
  };
  const work = async ({ skip, work: run }: HandlerEntry, { control, data }: Apdu) => {
    await line.send(POSITIVE);
    let abortable = false;
    const ecr = createEcrLink(line, () => abortable);
    const ending = await run(parts, {
      ecr,
      control,
      data,
      fields: fieldsOf(data, skip),
      registration: registrations.current,
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
      if (!registrations.current && !known.openToAll) return line.send(refusal(RESULT.notRegistered));
      if (control === COMMAND.registration) registrations.current = readRegistration(data);
      await terminal.occupy(() => work(known, apdu));
    },
  };
}

/** Parses the fields. Some ECRs send a password where the manual has none; no field starts with its digits. */
function fieldsOf(data: Uint8Array, skip: number): ReturnType<typeof readFields> {
  const fields = readFields(data.subarray(skip));
  return fields.size === 0 && skip === 0 ? readFields(data.subarray(PASSWORD_BYTES)) : fields;
}
