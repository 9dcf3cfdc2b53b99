import type { Apdu } from '../../../agent/readers/zvt/apdu.ts';
import { parseBitmaps } from '../../../agent/readers/zvt/bitmaps.ts';
import { CONTROL } from '../../../agent/readers/zvt/constants.ts';
import { FUNCTION_NOT_POSSIBLE, NOT_REGISTERED, PLEASE_WAIT } from '../../../agent/readers/zvt/results.ts';
import { POSITIVE, refusal, type Talk } from '../../../agent/readers/zvt/talk.ts';
import { readRegistration } from './registration.ts';
import { createTill } from './till.ts';
import { endOfDay, enquire, register, repeat, reverse, sale, type Work, type WorkParts } from './works.ts';

// The password goes before the bitmaps of some commands.
const PASSWORD_BYTES = 3;

const WORKS: Record<number, { skip: number; work: Work; openToAll?: boolean }> = {
  [CONTROL.registration]: { skip: PASSWORD_BYTES, work: register, openToAll: true },
  [CONTROL.statusEnquiry]: { skip: PASSWORD_BYTES, work: enquire, openToAll: true },
  [CONTROL.authorisation]: { skip: 0, work: sale('payment') },
  [CONTROL.preAuthorisation]: { skip: 0, work: sale('reservation') },
  [CONTROL.refund]: { skip: PASSWORD_BYTES, work: sale('refund') },
  [CONTROL.reversal]: { skip: PASSWORD_BYTES, work: reverse },
  [CONTROL.repeatReceipt]: { skip: PASSWORD_BYTES, work: repeat },
  [CONTROL.endOfDay]: { skip: PASSWORD_BYTES, work: endOfDay },
};

/** The terminal as its cash register sees it: each command, from its answer to its completion. */
export interface Counter {
  /** @throws Fault `reader` when the cash register goes away meanwhile. */
  obey(apdu: Apdu): Promise<void>;
}

export function createCounter(parts: WorkParts & { talk: Talk }): Counter {
  const { talk, memory } = parts;

  const work = async ({ skip, work: run }: (typeof WORKS)[number], data: Uint8Array) => {
    await talk.send(POSITIVE);
    let abortable = false;
    const till = createTill(talk, () => abortable);
    const ending = await run(parts, {
      till,
      bitmaps: parseBitmaps(data.subarray(skip)),
      registration: memory.registration,
      setAbortable: (may) => (abortable = may),
    });
    await till.tell(ending);
  };
  return {
    async obey({ control, data }) {
      if (control === CONTROL.abort) return talk.send(POSITIVE);
      const known = WORKS[control];
      if (!known) return talk.send(refusal(FUNCTION_NOT_POSSIBLE));
      if (memory.busy) return talk.send(refusal(PLEASE_WAIT));
      if (!memory.registration && !known.openToAll) return talk.send(refusal(NOT_REGISTERED));
      if (control === CONTROL.registration) memory.registration = readRegistration(data);
      memory.busy = true;
      try {
        await work(known, data);
      } finally {
        memory.busy = false;
      }
    },
  };
}
