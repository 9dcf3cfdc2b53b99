import { after } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { DeviceApproval } from '../../../protocol/messages/card-data.schema.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest, Reader, ReaderEvent } from '../reader.ts';
import type { DeviceOutcome, TerminalSession, TillLanguage } from './language.ts';
import { holdUnanswered, leaveSession, reverseOnce, settleLate } from './late-outcome.ts';

/** An action at the reader. */
interface Work {
  request: CardRequest;
  report(event: ReaderEvent): void;
  begun: boolean;
  /** The connection, once the terminal is ready. */
  session?: TerminalSession;
  /** Whether the request was sent. */
  sent: boolean;
  /** Whether a person settles the action: the server knows that its outcome is unknown, or counts it as paid. */
  settled: boolean;
  /** Why its outcome is unknown, while that is what was last reported. */
  unknown?: string | undefined;
  /** Drops what is kept to be reported should the power be cut before the terminal answers. */
  release?: (() => void) | undefined;
}

const CANNOT_ASK =
  'the agent restarted before the terminal answered, and this terminal cannot be asked for its last outcome';

/** After this time without an outcome it counts as unknown. One that comes later is still taken. */
const OUTCOME_LIMIT_MS = 180_000;
const OVERDUE = `no outcome after ${OUTCOME_LIMIT_MS / 1_000} s: look it up in the journal of the terminal`;
const NOT_AGAIN =
  'whether it was reversed before the agent restarted is not known: look it up in the journal of the terminal';
const NOT_SAVED = 'the journal cannot be written, so the reversal is not sent';
const STOPPED = 'the agent stopped before the terminal answered: look it up in the journal of the terminal';
const NOT_ASKED =
  'the action ended before the terminal was asked for the outcome: look it up in the journal of the terminal';
const BUSY = 'the terminal has not answered an earlier request yet';

/**
 * Creates a reader for payment terminals to which Tapbench is the till, and whose requests cannot be withdrawn. It sends
 * a request once, and waits for its outcome also after the end of the action: an approval that comes then is reversed.
 */
export function createTillReader(parts: TillParts, language: TillLanguage): Reader {
  const till = new Till(parts, language);
  return {
    name: language.name,
    authoriser: 'device',
    begin: (request, report) => till.begin(request, report),
    awaitCard: () => till.prepare(),
    sendToDevice: () => till.send(),
    findOutcome: () => till.findOutcome(),
    unknownReported: () => till.unknownReported(),
    // The terminal asks for the PIN itself.
    awaitPin() {},
    verifyPin() {},
    reverse: (request, approval, options) => till.reverse(request, approval, options),
    end: (options) => till.leave(options),
    beforeStop: () => till.stop(),
    close: () => till.close(),
  };
}

type TillParts = Pick<DriverParts, 'clock' | 'log' | 'onReversal' | 'holdReversal'>;

class Till {
  readonly #parts: TillParts;
  readonly #language: TillLanguage;
  #current: Work | undefined;
  /** What was sent and has no outcome yet. */
  readonly #open = new Set<Work>();
  /** The last reversal. Who asks for it again gets its result. */
  #reversal: { actionId: string; result: Promise<{ notReversed: string } | undefined> } | undefined;
  #stopped = false;

  constructor(parts: TillParts, language: TillLanguage) {
    this.#parts = parts;
    this.#language = language;
  }

  begin(request: CardRequest, report: Work['report']): void {
    this.leave();
    this.#current = { request, report, begun: false, sent: false, settled: false };
  }

  prepare(): void {
    this.#later(async (work) => {
      try {
        const refused = this.#language.refuse(work.request);
        if (refused !== undefined) throw new Fault('reader', refused);
        if (this.#open.size > 0) throw new Fault('reader', BUSY);
        const session = await this.#language.open();
        if (this.#current !== work) return await session.close();
        work.session = session;
        work.report({ type: 'device.ready' });
      } catch (error) {
        if (this.#current === work) work.report({ type: 'reader.failed', reason: messageOf(error) });
      }
    });
  }

  send(): void {
    const work = this.#current;
    const session = work?.session;
    if (!work || !session || work.sent) return;
    work.sent = true;
    this.#open.add(work);
    const timer = after(this.#parts.clock, OUTCOME_LIMIT_MS, () => {
      if (this.#current === work) tell(work, { type: 'unknown', reason: OVERDUE });
    });
    const run = async () => {
      const outcome = await session.transact(work.request).catch(unknownAfter);
      timer.cancel();
      await leaveSession(session);
      await this.#finish(work, outcome);
    };
    this.#inBackground(run());
  }

  findOutcome(): void {
    // The action waits as one with an unknown outcome, so a person may settle it while the terminal is asked.
    this.unknownReported();
    this.#later(async (work) => {
      const outcome = await this.#askedOutcome(work).catch(unknownAfter);
      await this.#finish(work, outcome);
    });
  }

  unknownReported(): void {
    if (this.#current) this.#current.settled = true;
  }

  async reverse(
    request: CardRequest,
    approval: DeviceApproval,
    { mayBeSent = false, isSaved = true } = {},
  ): Promise<{ notReversed: string } | void> {
    const { actionId } = request;
    if (this.#reversal?.actionId === actionId) return this.#reversal.result;
    if (mayBeSent && this.#language.reversesByAmount) return { notReversed: NOT_AGAIN };
    if (!isSaved && this.#language.reversesByAmount) throw new Fault('reader', NOT_SAVED);
    if (this.#open.size > 0) throw new Fault('reader', BUSY);
    const result = reverseOnce(this.#language, request, approval);
    this.#reversal = { actionId, result };
    try {
      return await result;
    } catch (error) {
      if (this.#reversal.result === result) this.#reversal = undefined;
      throw error;
    }
  }

  leave({ paid = false, unsettled = false } = {}): void {
    const work = this.#current;
    this.#current = undefined;
    if (!work) return;
    work.settled = paid || (work.settled && !unsettled);
    // The server has ended the action before it could know. Where the agent stops, the journal keeps the action.
    if (!this.#stopped && work.unknown !== undefined && !this.#open.has(work))
      this.#inBackground(this.#settleLate(work, { type: 'unknown', reason: work.unknown }));
    if (!work.session) return;
    // What a person has settled, and what was never sent, needs no answer.
    if (work.sent && !work.settled) {
      if (this.#open.has(work) && !this.#stopped) work.release = holdUnanswered(this.#parts, work);
      return;
    }
    this.#open.delete(work);
    void work.session.close();
  }

  /** From now on an outcome is neither reported nor reversed: the next process finds it out. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    // No journal has what was sent for an action that has ended.
    for (const work of this.#open)
      if (work !== this.#current) void this.#settleLate(work, { type: 'unknown', reason: STOPPED });
  }

  async close(): Promise<void> {
    this.stop();
    this.leave();
    for (const { session } of this.#open) await session?.close();
    this.#open.clear();
  }

  async #askedOutcome(work: Work): Promise<DeviceOutcome> {
    const notAsked = { type: 'unknown', reason: NOT_ASKED } as const;
    if (this.#current !== work) return notAsked;
    const session = await (this.#language.openToAsk?.() ?? this.#language.open());
    try {
      if (this.#current !== work) return notAsked;
      work.session = session;
      return (await session.findOutcome?.(work.request)) ?? { type: 'unknown', reason: CANNOT_ASK };
    } finally {
      await leaveSession(session);
    }
  }

  async #finish(work: Work, outcome: DeviceOutcome): Promise<void> {
    if (this.#stopped) return;
    if (this.#current === work) {
      this.#open.delete(work);
      return tell(work, outcome);
    }
    await this.#settleLate(work, outcome).finally(() => this.#open.delete(work));
  }

  #settleLate(work: Work, outcome: DeviceOutcome): Promise<void> {
    // What comes of it is stored first.
    const settled = settleLate({ ...this.#parts, language: this.#language }, work, outcome);
    work.release?.();
    return settled;
  }

  /** Runs `run` once for the current action, after the call that asks for it: no event comes inside a call. */
  #later(run: (work: Work) => Promise<void>): void {
    const work = this.#current;
    if (!work || work.begun) return;
    work.begun = true;
    this.#inBackground(Promise.resolve().then(() => run(work)));
  }

  #inBackground(run: Promise<void>): void {
    run.catch((error: unknown) => this.#parts.log.error({ reason: messageOf(error) }, 'the till failed'));
  }
}

/** Reports an outcome to the action that waits for it. */
function tell(work: Work, outcome: DeviceOutcome): void {
  // An outcome that comes later takes the place of an unknown one.
  work.unknown = outcome.type === 'unknown' ? outcome.reason : undefined;
  work.report(eventOf(outcome));
}

function unknownAfter(error: unknown): DeviceOutcome {
  return { type: 'unknown', reason: messageOf(error) };
}

function eventOf(outcome: DeviceOutcome): ReaderEvent {
  switch (outcome.type) {
    case 'approved': {
      const { card, approval, receipt } = outcome;
      return { type: 'device.approved', card, approval, ...(receipt && { receipt }) };
    }
    case 'declined':
      return { type: 'device.declined', reason: outcome.reason };
    case 'cancelled':
      return { type: 'cancel.pressed' };
    case 'failed':
      return { type: 'reader.failed', reason: outcome.reason };
    case 'unknown':
      return { type: 'device.unknown', reason: outcome.reason };
  }
}
