import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { checker } from '../../protocol/schema.ts';
import type { TextSocket } from '../platform/http/text-socket.ts';
import { PageMessage as PageMessageSchema } from './page-message.schema.ts';
import { recordedView, type Recorder } from './recorder.ts';
import type { LiveMessage, MachineShape, PageMessage, Subject, WebhookAttempt } from './view.ts';
import type { Recorded } from './recording.ts';

interface LiveClientParts {
  socket: TextSocket;
  /** Real time. */
  clock: Clock;
  recorder: Pick<Recorder, 'belongs' | 'entriesOf' | 'latestActionOf'>;
  admits(token: string): boolean;
  /** Asks for a flush soon. */
  wake(): void;
  hello(): Promise<Extract<LiveMessage, { type: 'hello' }>>;
  machineOf(subject: Subject): Promise<MachineShape | null>;
}

// A page says who it is as soon as it is connected.
const SESSION_MS = 10_000;

// What a connection is closed with (RFC 6455 §7.4.1); above 4000 the codes are ours.
const BAD_MESSAGE = 1008;
const TRY_AGAIN_LATER = 1013;
/** No session, or not a good one. */
export const REFUSED = 4401;

// A page that does not read is told nothing more, and how everything stands once it reads again.
const BEHIND_BYTES = 1024 * 1024;
const CAUGHT_UP_BYTES = 64 * 1024;
const BEHIND_MS_MAX = 30_000;
// More than these at once are told as a whole timeline.
const ENTRIES_MAX = 300;
const ATTEMPTS_MAX = 100;

const checkMessage = checker(PageMessageSchema);

/** One page that is open. What it is to be told waits for the next flush. */
export class LiveClient {
  readonly #parts: LiveClientParts;
  readonly #late: Timer;
  #admitted = false;
  /** It has been told how everything stands. */
  #greeted = false;
  #behindSinceMs: number | undefined;
  #watching: Subject | null = null;
  #timelineDue = false;
  /** The action that it was shown of a terminal that it watches. */
  #shownAction: string | undefined;
  #entries: Recorded[] = [];
  #attempts: WebhookAttempt[] = [];

  constructor(parts: LiveClientParts) {
    this.#parts = parts;
    const { socket, clock } = parts;
    this.#late = after(clock, SESSION_MS, () => socket.close(REFUSED, 'no session'));
    socket.onClose(() => this.#late.cancel());
    socket.onText((text) => this.#hear(text));
  }

  noteEntry(entry: Recorded): void {
    const { recorder } = this.#parts;
    const watching = this.#watching;
    if (!this.#greeted || !watching || this.#timelineDue || !recorder.belongs(entry, watching)) return;
    const action = watching.kind === 'terminal' ? recorder.latestActionOf(watching.id) : undefined;
    if (action !== this.#shownAction || this.#entries.length >= ENTRIES_MAX) this.#timelineDue = true;
    else this.#entries.push(entry);
  }

  noteAttempt(attempt: WebhookAttempt): void {
    if (this.#greeted) this.#attempts.push(attempt);
    if (this.#attempts.length > ATTEMPTS_MAX) this.#attempts.shift();
  }

  /** The sandbox begins anew. */
  reset(): void {
    if (this.#greeted) this.#send({ type: 'reset' });
    this.#greeted = false;
  }

  /** Something that it should have been told was lost: it is told how everything stands. */
  greetAgain(): void {
    this.#greeted = false;
  }

  /**
   * @param news what everybody is told
   * @param heldAfter entries after this number wait
   * @returns whether something waits for the next flush
   */
  async flush(news: readonly string[], heldAfter: number): Promise<boolean> {
    if (!this.#admitted) return false;
    if (this.#isBehind()) return true;
    if (this.#greeted) for (const text of news) this.#parts.socket.send(text);
    else await this.#greet();
    if (this.#timelineDue) await this.#tellTimeline(heldAfter);
    this.#tellEntries(heldAfter);
    for (const attempt of this.#attempts.splice(0)) this.#send({ type: 'webhook', attempt });
    return this.#entries.length > 0;
  }

  #hear(text: string): void {
    const { socket, admits, wake } = this.#parts;
    const message = read(text);
    if (!message) return socket.close(BAD_MESSAGE, 'not a message of the dashboard');
    if (message.type === 'session') {
      this.#late.cancel();
      this.#admitted ||= admits(message.token);
    }
    if (!this.#admitted) return socket.close(REFUSED, 'the token is not good');
    if (!socket.admit()) return socket.close(TRY_AGAIN_LATER, 'too many pages are open');
    if (message.type === 'watch') {
      this.#watching = message.subject;
      this.#timelineDue = message.subject !== null;
      this.#entries = [];
    }
    wake();
  }

  #send(message: LiveMessage): void {
    this.#parts.socket.send(JSON.stringify(message));
  }

  async #greet(): Promise<void> {
    this.#send(await this.#parts.hello());
    this.#greeted = true;
    this.#attempts = [];
    this.#timelineDue = this.#watching !== null;
  }

  async #tellTimeline(heldAfter: number): Promise<void> {
    const { recorder, machineOf } = this.#parts;
    const subject = this.#watching!;
    this.#timelineDue = false;
    this.#entries = [];
    this.#shownAction = subject.kind === 'terminal' ? recorder.latestActionOf(subject.id) : undefined;
    const machine = await machineOf(subject);
    if (this.#watching !== subject) return;
    // What came meanwhile is among them.
    const all = recorder.entriesOf(subject);
    this.#entries = all.filter(({ seq }) => seq > heldAfter);
    const entries = all.filter(({ seq }) => seq <= heldAfter).map(recordedView);
    this.#send({ type: 'timeline', subject, machine, entries });
  }

  #tellEntries(heldAfter: number): void {
    const ready = this.#entries.filter(({ seq }) => seq <= heldAfter).sort((a, b) => a.seq - b.seq);
    this.#entries = this.#entries.filter(({ seq }) => seq > heldAfter);
    for (const entry of ready) this.#send({ type: 'entry', entry: recordedView(entry) });
  }

  /** Whether there is no use in telling it anything now. */
  #isBehind(): boolean {
    const { socket, clock } = this.#parts;
    if (this.#behindSinceMs === undefined) {
      if (socket.bufferedBytes <= BEHIND_BYTES) return false;
      this.#behindSinceMs = clock.nowMs();
    } else if (socket.bufferedBytes <= CAUGHT_UP_BYTES) {
      this.#behindSinceMs = undefined;
      this.#greeted = false;
      return false;
    }
    if (clock.nowMs() - this.#behindSinceMs > BEHIND_MS_MAX) socket.close(TRY_AGAIN_LATER, 'too slow');
    return true;
  }
}

function read(text: string): PageMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return checkMessage(message).length === 0 ? (message as PageMessage) : undefined;
  } catch {
    return undefined;
  }
}
