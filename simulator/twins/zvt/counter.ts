import * as administration from './administration.ts';
import { POSITIVE, refusal, type Apdu } from './apdu.ts';
import { COMMAND, RESULT } from './codes.ts';
import { readFields } from './fields.ts';
import type { Work, WorkParts } from './job.ts';
import { readCard } from './read-card.ts';
import type { RegisterLine } from './register-line.ts';
import { readRegistration } from './registration.ts';
import { book } from './reservations.ts';
import { createTill } from './ecr-link.ts';
import { enquire, register, repeat, reverse, sale } from './command-handlers.ts';

const PASSWORD_BYTES = 3;

interface Row {
  work: Work;
  /** The bytes before the fields: a password, or the timeout of a card. */
  skip: number;
  /** Also before a cash register has registered. */
  openToAll?: boolean;
}

const WORKS: Record<number, Row> = {
  [COMMAND.registration]: { skip: PASSWORD_BYTES, work: register, openToAll: true },
  [COMMAND.statusEnquiry]: { skip: PASSWORD_BYTES, work: enquire, openToAll: true },
  [COMMAND.authorisation]: { skip: 0, work: sale('payment') },
  [COMMAND.preAuthorisation]: { skip: 0, work: sale('reservation') },
  [COMMAND.bookReservation]: { skip: 0, work: book },
  [COMMAND.bookTotal]: { skip: 0, work: book },
  [COMMAND.reservationReversal]: { skip: 0, work: reverse },
  [COMMAND.refund]: { skip: PASSWORD_BYTES, work: sale('refund') },
  [COMMAND.reversal]: { skip: PASSWORD_BYTES, work: reverse },
  [COMMAND.repeatReceipt]: { skip: PASSWORD_BYTES, work: repeat },
  [COMMAND.endOfDay]: { skip: PASSWORD_BYTES, work: administration.endOfDay },
  [COMMAND.turnoverTotals]: { skip: PASSWORD_BYTES, work: administration.turnoverTotals },
  [COMMAND.diagnosis]: { skip: 0, work: administration.report('diagnosis') },
  [COMMAND.initialisation]: { skip: PASSWORD_BYTES, work: administration.report('initialisation') },
  [COMMAND.selfTest]: { skip: PASSWORD_BYTES, work: administration.report('selfTest') },
  [COMMAND.printSystemConfiguration]: { skip: 0, work: administration.report('configuration') },
  [COMMAND.reset]: { skip: 0, work: administration.reset, openToAll: true },
  [COMMAND.readCard]: { skip: 1, work: readCard },
};

/** The terminal as its cash register sees it: each command, from its answer to its completion. */
interface Counter {
  /** @throws Fault `reader` when the cash register goes away meanwhile. */
  obey(apdu: Apdu): Promise<void>;
}

export function createCounter(parts: WorkParts & { line: RegisterLine }): Counter {
  const { line, memory } = parts;

  /** Commands that are over with their answer; 84 xx refuses them. */
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
  const work = async ({ skip, work: run }: Row, data: Uint8Array) => {
    await line.send(POSITIVE);
    let abortable = false;
    const till = createTill(line, () => abortable);
    const ending = await run(parts, {
      till,
      data,
      fields: fieldsOf(data, skip),
      registration: memory.registration,
      setAbortable: (may) => (abortable = may),
    });
    await till.tell(ending);
  };
  return {
    async obey(apdu) {
      const { control, data } = apdu;
      if (memory.busy && control !== COMMAND.abort) return line.send(refusal(RESULT.pleaseWait));
      const answer = answerOf(apdu);
      if (answer) return line.send(answer);
      const known = WORKS[control];
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

/** Some cash registers send a password where the manual has none: no field begins with its digits. */
function fieldsOf(data: Uint8Array, skip: number): ReturnType<typeof readFields> {
  const fields = readFields(data.subarray(skip));
  return fields.size === 0 && skip === 0 ? readFields(data.subarray(PASSWORD_BYTES)) : fields;
}
