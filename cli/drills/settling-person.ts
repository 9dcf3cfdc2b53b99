import type { Drill } from './drill.ts';
import type { Stage, Teller } from './stage.ts';

interface PersonParts {
  stage: Pick<Stage, 'backstage' | 'sleep'>;
  /** Undefined for a drill without a terminal. */
  terminalId: string | undefined;
  /** Undefined for a drill in which nothing is to be settled. */
  settledAs: Drill['settledAs'];
  tell(who: Teller, text: string): void;
}

/** Somebody in the shop of a drill who looks payments up in the journal of its payment terminal. */
interface Person {
  /** Settles what is still unknown, and ends. @throws what the last request of the person has thrown */
  leave(): Promise<void>;
}

// Until the payment is found in the journal.
const SETTLE_AFTER_MS = 6_000;
const POLL_MS = 250;

/**
 * Calls a person who settles each payment whose outcome is unknown at the payment terminal. An integration that waits for the
 * end of its payment, as it should, would wait for ever without one.
 */
export function callPerson({ stage, terminalId, settledAs, tell }: PersonParts): Person {
  if (terminalId === undefined || settledAs === undefined) return { leave: async () => {} };
  const { backstage, sleep } = stage;
  const path = `/sandbox/terminals/${terminalId}`;
  let isLeaving = false;
  let problem: unknown;
  const isUnknown = async () => (await backstage('GET', path)).state === 'outcomeUnknown';
  const settle = async () => {
    await sleep(SETTLE_AFTER_MS);
    if (!(await isUnknown())) return;
    tell('terminal', 'its journal shows that the card was charged, and somebody settles the payment so');
    await backstage('POST', `${path}/settle`, { outcome: settledAs });
  };
  /** Looks at the terminal, and settles what is unknown there. Returns whether nothing is. */
  const settleIfUnknown = async () => {
    problem = undefined;
    try {
      if (!(await isUnknown())) return true;
      await settle();
      return false;
    } catch (thrown) {
      // The outcome may have come meanwhile: the next look shows it.
      problem = thrown;
      return isLeaving;
    }
  };
  const working = (async () => {
    for (;;) {
      const isLast = isLeaving;
      if ((await settleIfUnknown()) && isLast) return;
      await sleep(POLL_MS);
    }
  })();
  // Who lets the person leave learns of it.
  working.catch(() => {});
  return {
    async leave() {
      isLeaving = true;
      await working;
      if (problem !== undefined) throw problem;
    },
  };
}
