import type { Clock } from '../../../protocol/clock.ts';

/** What a person is asked to do, in the dashboard. */
export interface AskedAct {
  /** Its short name. */
  act: string;
  /** Without PINs. */
  text: string;
  /** Whether nobody is asked elsewhere: without a page that shows it, it is not done. */
  isAlone: boolean;
}

/** What the person said: it was done, or cannot be, with the reason. */
export interface ActAnswer {
  done: boolean;
  reason: string | null;
}

interface Pending extends AskedAct {
  /** Undefined until the server has it. */
  number: number | undefined;
  /** When it was asked, or a page was last heard to show it. */
  askedMs: number;
  /** What was said elsewhere, before the server had it. */
  said: ActAnswer | undefined;
  resolve(answer: ActAnswer): void;
}

interface ActCalls {
  /** Asks it. @param onNumber called with its number once the server has it */
  post(act: { act: string; text: string }, onNumber: (number: number) => void): void;
  /** Tells the server what was said elsewhere. */
  settle(number: number, answer: { done: boolean; reason?: string }): void;
}

/** How long an act waits for a page that shows it, and how long later ones do once that was in vain. */
const PATIENCE_MS = 120_000;
const LATER_PATIENCE_MS = 10_000;

export const NOBODY = 'there is nobody to ask: give --operate, or open the dashboard';

/** The acts that are asked for in the dashboard, one at a time. */
export class AskedActs {
  readonly #clock: Clock;
  readonly #calls: ActCalls;
  /** Answers that came before the number of their act. */
  readonly #early = new Map<number, ActAnswer>();
  #pending: Pending | undefined;
  #heard = 0;
  #isLost = false;
  #patienceMs = PATIENCE_MS;

  constructor(clock: Clock, calls: ActCalls) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** Number of the last act whose answer was heard. */
  get heard(): number {
    return this.#heard;
  }

  /** Asks. `answer` resolves with what is said in the dashboard; `settle` takes what was said elsewhere before. */
  ask(asked: AskedAct): { answer: Promise<ActAnswer>; settle(said: ActAnswer): void } {
    let whenDone!: (answer: ActAnswer) => void;
    const answer = new Promise<ActAnswer>((done) => (whenDone = done));
    const askedMs = this.#clock.nowMs();
    const own: Pending = { ...asked, number: undefined, askedMs, said: undefined, resolve: whenDone };
    this.#pending = own;
    if (!this.#isLost) this.#post(own);
    else if (asked.isAlone) this.#resolve({ done: false, reason: NOBODY });
    return {
      answer,
      settle: (said) => {
        if (this.#pending !== own) return;
        this.#pending = undefined;
        own.said = said;
        if (own.number !== undefined) this.#settle(own.number, said);
      },
    };
  }

  /** Asks the pending one again, of a server that knows of none. */
  askAgain(): void {
    this.#heard = 0;
    if (this.#pending?.number === undefined) return;
    this.#pending.number = undefined;
    this.#pending.askedMs = this.#clock.nowMs();
    this.#post(this.#pending);
  }

  /** Takes what the server knows: answers, and whether a page has shown what is asked. */
  hear({ items, seen }: { items: readonly (ActAnswer & { number: number })[]; seen: boolean }): void {
    for (const { number, done, reason } of items) {
      this.#heard = Math.max(this.#heard, number);
      if (this.#pending?.number === number) this.#resolve({ done, reason });
      else if (this.#pending && this.#pending.number === undefined) this.#early.set(number, { done, reason });
    }
    if (seen && this.#pending) [this.#pending.askedMs, this.#patienceMs] = [this.#clock.nowMs(), PATIENCE_MS];
    this.#endPatience();
  }

  /** The server has not answered: no page of it shows what is asked. */
  hearNothing(): void {
    this.#endPatience();
  }

  /** The server cannot be asked any more. */
  lose(): void {
    this.#isLost = true;
    if (this.#pending?.isAlone) this.#resolve({ done: false, reason: NOBODY });
  }

  #post(own: Pending): void {
    this.#calls.post({ act: own.act, text: own.text }, (number) => {
      own.number = number;
      if (own.said) return this.#settle(number, own.said);
      const answer = this.#early.get(number);
      this.#early.clear();
      if (answer && this.#pending === own) this.#resolve(answer);
    });
  }

  /** Ends the wait for a page that shows what is asked, when it was long enough. */
  #endPatience(): void {
    if (!this.#pending?.isAlone) return;
    if (this.#clock.nowMs() - this.#pending.askedMs < this.#patienceMs) return;
    this.#patienceMs = LATER_PATIENCE_MS;
    this.#resolve({ done: false, reason: NOBODY });
  }

  #settle(number: number, { done, reason }: ActAnswer): void {
    this.#calls.settle(number, reason === null ? { done } : { done, reason });
  }

  #resolve(answer: ActAnswer): void {
    const answered = this.#pending;
    this.#pending = undefined;
    answered?.resolve(answer);
  }
}
