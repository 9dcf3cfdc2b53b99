import { after, toTimestamp, type Clock, type Timer } from '../../../protocol/clock.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type {
  ActAnswer,
  ActAnswerInput,
  ActInput,
  CaseProgress,
  CertificateInput,
  CertificateReply,
  CertificateSummary,
} from './certificate.schema.ts';

// Its command reads each within seconds.
const ANSWERS_MAX = 100;
/** A command calls every few seconds. */
const SILENCE_MS = 20_000;
/** A page that shows it reads it every few seconds. */
const SEEN_MS = 15_000;

interface HeldParts {
  realClock: Clock;
  /** Called when it was broken off because nothing was heard of its command. */
  onSilence(): void;
  /** Returns a text without secrets and card numbers. */
  masked(text: string): string;
}

type Case = Omit<CertificateReply['cases'][number], 'hasTrace'>;
type Act = NonNullable<CertificateReply['act']>;

/** A certificate that a command makes, or has made, as it was told so far. */
export class HeldCertificate {
  readonly id: string;
  readonly #parts: HeldParts;
  readonly #about: Pick<CertificateReply, 'kind' | 'name' | 'terminalId' | 'casesLeftOut'>;
  readonly #startedMs: number;
  readonly #cases: Map<string, Case>;
  readonly #answers: ActAnswer[] = [];
  readonly #waiting = new Set<() => void>();
  #status: CertificateReply['status'] = 'Running';
  /** Whether it has ended in silence, and goes on when its command calls again. */
  #isSilent = false;
  #isStopped = false;
  #endedMs: number | undefined;
  #act: Act | null = null;
  /** When a page has read it last; undefined before. */
  #actReadMs: number | undefined;
  #asked = 0;
  #silence: Timer | undefined;

  constructor(id: string, input: CertificateInput, parts: HeldParts) {
    const { kind, name, terminalId = null, casesLeftOut = 0 } = input;
    const { masked, realClock } = parts;
    this.id = id;
    this.#parts = parts;
    this.#about = { kind, name: masked(name), terminalId, casesLeftOut };
    this.#startedMs = realClock.nowMs();
    this.#cases = new Map(
      input.cases.map(({ id: caseId, title, rules, status = 'NotTried', reason }) => {
        const shown = rules.map((rule) => ({
          ...rule,
          id: rule.id ?? null,
          document: rule.document ?? null,
        }));
        const words = reason === undefined ? null : masked(reason);
        return [caseId, { id: caseId, title, rules: shown, status, reason: words, recordingId: null }];
      }),
    );
    this.heard();
  }

  get isRunning(): boolean {
    return this.#status === 'Running';
  }

  hasCase(caseId: string): boolean {
    return this.#cases.has(caseId);
  }

  /** Notes that its command lives. @throws Refusal `certificate_over` when it has ended */
  heard(): void {
    if (!this.isRunning && !this.#isSilent) throw new Refusal('certificate_over');
    this.#status = 'Running';
    this.#isSilent = false;
    this.#endedMs = undefined;
    this.#silence?.cancel();
    if (this.#isStopped) return;
    this.#silence = after(this.#parts.realClock, SILENCE_MS, () => this.#breakOff());
  }

  /** Takes what came of a case of it. @throws Refusal `certificate_over` */
  progress(caseId: string, { status, reason, recordingId }: CaseProgress): void {
    this.heard();
    const one = this.#cases.get(caseId)!;
    one.status = status;
    one.reason = reason === undefined ? null : this.#parts.masked(reason);
    one.recordingId = (status === 'Running' && recordingId) || null;
    if (status !== 'Running') this.#act = null;
  }

  /** Asks the person at the device for an act, in place of the one before. @throws Refusal `certificate_over` */
  ask({ act, text }: ActInput): Act {
    this.heard();
    const askedTimestamp = toTimestamp(this.#parts.realClock.nowMs());
    this.#actReadMs = undefined;
    this.#act = { number: (this.#asked += 1), act, text: this.#parts.masked(text), askedTimestamp };
    return this.#act;
  }

  /** Answers the act that is asked for. @throws Refusal `certificate_over`, `act_not_asked` */
  answer(number: number, { done, reason = '' }: ActAnswerInput): ActAnswer {
    if (!this.isRunning) throw new Refusal('certificate_over');
    if (this.#act?.number !== number) throw new Refusal('act_not_asked');
    this.#act = null;
    const words = done || reason.trim() === '' ? null : this.#parts.masked(reason.trim());
    const answer = { number, done, reason: words };
    this.#answers.push(answer);
    if (this.#answers.length > ANSWERS_MAX) this.#answers.shift();
    this.#wake();
    return answer;
  }

  /** Returns the answers to acts after one, once there are some or the time has passed. @throws Refusal `certificate_over` */
  async answersAfter(number: number, waitMs: number): Promise<ActAnswer[]> {
    this.heard();
    const later = () => this.#answers.filter((one) => one.number > number);
    if (waitMs === 0 || this.#isStopped || later().length > 0) return later();
    await new Promise<void>((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = after(this.#parts.realClock, waitMs, wake);
      this.#waiting.add(wake);
    });
    return later();
  }

  /** Notes that a page of the dashboard shows it. */
  shown(): void {
    if (this.isRunning && this.#act !== null) this.#actReadMs = this.#parts.realClock.nowMs();
  }

  /** Whether a page shows the act that is asked for: one that was closed since does not. */
  get isActSeen(): boolean {
    if (this.#act === null || this.#actReadMs === undefined) return false;
    return this.#parts.realClock.nowMs() - this.#actReadMs < SEEN_MS;
  }

  /** @throws Refusal `certificate_over` */
  end(status: 'Ended' | 'BrokenOff'): void {
    this.heard();
    this.#finish(status);
  }

  /** Waits for nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#silence?.cancel();
    this.#wake();
  }

  summary(): CertificateSummary {
    const cases = this.#shownCases();
    const count = (status: Case['status']) => cases.filter((one) => one.status === status).length;
    return {
      id: this.id,
      ...this.#about,
      status: this.#status,
      startedTimestamp: toTimestamp(this.#startedMs),
      endedTimestamp: this.#endedMs === undefined ? null : toTimestamp(this.#endedMs),
      act: this.isRunning ? this.#act : null,
      counts: {
        passed: count('Passed'),
        failed: count('Failed'),
        notShown: count('NotShown'),
        running: count('Running'),
        notTried: count('NotTried'),
      },
    };
  }

  /** @param hasTrace whether the trace of a case is held */
  reply(hasTrace: (caseId: string) => boolean): CertificateReply {
    const cases = this.#shownCases().map((one) => ({ ...one, hasTrace: hasTrace(one.id) }));
    return { ...this.summary(), cases };
  }

  /** The cases as they are shown: once it is over, what was under way has found out nothing. */
  #shownCases(): Case[] {
    const cases = [...this.#cases.values()];
    if (this.isRunning) return cases;
    return cases.map((one) =>
      one.status === 'Running' ? { ...one, status: 'NotTried', recordingId: null } : one,
    );
  }

  /** Its command may call again, so what is under way and asked for is kept. */
  #breakOff(): void {
    this.#finish('BrokenOff');
    this.#isSilent = true;
    this.#parts.onSilence();
  }

  #finish(status: 'Ended' | 'BrokenOff'): void {
    this.#silence?.cancel();
    this.#status = status;
    this.#endedMs = this.#parts.realClock.nowMs();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
