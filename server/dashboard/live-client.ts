import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker } from '../../protocol/schema.ts';
import type { TextSocket } from '../platform/http/sockets/text-socket.ts';
import { PageMessage as PageMessageSchema } from './page-message.schema.ts';
import { toTimelineEntry, type TimelineLog } from './timeline-log.ts';
import type {
  LiveMessage,
  MachineShape,
  PageMessage,
  WatchTarget,
  TimelineEntry,
  WebhookAttempt,
} from './view.ts';
import type { LoggedEntry } from './entry-listener.ts';

interface LiveClientParts {
  socket: TextSocket;
  /** Returns a function that never throws, and closes the connection instead. */
  guarded(receive: (text: string) => void): (text: string) => void;
  /** Real time. */
  clock: Clock;
  timelineLog: Pick<TimelineLog, 'belongs' | 'entriesOf' | 'latestActionOf'>;
  admits(token: string): boolean;
  /** Schedules a flush. */
  requestFlush(): void;
  hello(): Promise<Extract<LiveMessage, { type: 'hello' }>>;
  machineOf(target: WatchTarget): Promise<MachineShape | null>;
  /** The entries of the target's action that are in the store. */
  storedEntriesOf(target: WatchTarget): Promise<TimelineEntry[]>;
}

// A page sends its token as soon as it is connected.
const SESSION_MS = 10_000;

// Close codes (RFC 6455 §7.4.1); codes from 4000 on are our own.
const BAD_MESSAGE = 1008;
const TRY_AGAIN_LATER = 1013;
/** Close code for a missing or invalid token. */
export const UNAUTHORIZED = 4401;

// A page that does not read gets no messages, and the full state once it reads again.
const BEHIND_BYTES = 1024 * 1024;
const CAUGHT_UP_BYTES = 64 * 1024;
const BEHIND_MS_MAX = 30_000;
// More than these at once are sent as a whole timeline.
const ENTRIES_MAX = 300;
const ATTEMPTS_MAX = 100;

const checkMessage = checker(PageMessageSchema);

/** The server's end of one open page. Messages wait for the next flush. */
export class LiveClient {
  readonly #parts: LiveClientParts;
  readonly #sessionTimer: Timer;
  #admitted = false;
  /** `hello`, the full state, was sent. */
  #initialized = false;
  #behindSinceMs: number | undefined;
  #watching: WatchTarget | null = null;
  #timelineDue = false;
  /** The action of the watched terminal that the page shows. */
  #shownAction: string | undefined;
  #entries: LoggedEntry[] = [];
  #attempts: WebhookAttempt[] = [];

  constructor(parts: LiveClientParts) {
    this.#parts = parts;
    const { socket, clock } = parts;
    this.#sessionTimer = after(clock, SESSION_MS, () => socket.close(UNAUTHORIZED, 'no session'));
    socket.onClose(() => this.#sessionTimer.cancel());
    socket.onText(parts.guarded((text) => this.#receive(text)));
  }

  addEntry(entry: LoggedEntry): void {
    const { timelineLog } = this.#parts;
    const watching = this.#watching;
    if (!this.#initialized || !watching || this.#timelineDue || !timelineLog.belongs(entry, watching)) return;
    const action = watching.kind === 'terminal' ? timelineLog.latestActionOf(watching.id) : undefined;
    if (action !== this.#shownAction || this.#entries.length >= ENTRIES_MAX) this.#timelineDue = true;
    else this.#entries.push(entry);
  }

  addAttempt(attempt: WebhookAttempt): void {
    if (this.#initialized) this.#attempts.push(attempt);
    if (this.#attempts.length > ATTEMPTS_MAX) this.#attempts.shift();
  }

  /** Sends `reset`, and the full state with the next flush. */
  reset(): void {
    if (this.#initialized) this.#send({ type: 'reset' });
    this.#initialized = false;
  }

  /** Sends the full state with the next flush, after a message was lost. */
  resync(): void {
    this.#initialized = false;
  }

  /**
   * Sends what has collected since the last flush.
   * @param changes messages for every page, as JSON
   * @param heldAfter entries after this number wait
   * @returns whether entries wait for the next flush
   */
  async flush(changes: readonly string[], heldAfter: number): Promise<boolean> {
    if (!this.#admitted) return false;
    if (this.#isBehind()) return true;
    if (this.#initialized) for (const text of changes) this.#parts.socket.send(text);
    else await this.#sendHello();
    if (this.#timelineDue) await this.#sendTimeline(heldAfter);
    this.#sendEntries(heldAfter);
    for (const attempt of this.#attempts.splice(0)) this.#send({ type: 'webhook', attempt });
    return this.#entries.length > 0;
  }

  #receive(text: string): void {
    const { socket, admits, requestFlush } = this.#parts;
    const message = read(text);
    if (!message) return socket.close(BAD_MESSAGE, 'not a message of the dashboard');
    if (message.type === 'session') {
      this.#sessionTimer.cancel();
      this.#admitted ||= admits(message.token);
    }
    if (!this.#admitted) return socket.close(UNAUTHORIZED, 'the token is invalid');
    if (!socket.admit()) return socket.close(TRY_AGAIN_LATER, 'too many pages are open');
    if (message.type === 'watch') {
      this.#watching = message.target;
      this.#timelineDue = message.target !== null;
      this.#entries = [];
    }
    requestFlush();
  }

  #send(message: LiveMessage): void {
    this.#parts.socket.send(JSON.stringify(message));
  }

  async #sendHello(): Promise<void> {
    this.#send(await this.#parts.hello());
    this.#initialized = true;
    this.#attempts = [];
    this.#timelineDue = this.#watching !== null;
  }

  async #sendTimeline(heldAfter: number): Promise<void> {
    const { timelineLog, machineOf, storedEntriesOf } = this.#parts;
    const target = this.#watching!;
    this.#timelineDue = false;
    this.#entries = [];
    this.#shownAction = target.kind === 'terminal' ? timelineLog.latestActionOf(target.id) : undefined;
    const [machine, stored] = await Promise.all([machineOf(target), storedEntriesOf(target)]);
    if (this.#watching !== target) return;
    // These include the entries that were added meanwhile.
    const all = timelineLog.entriesOf(target);
    this.#entries = all.filter(({ seq }) => seq > heldAfter);
    const recorded = all.filter(({ seq }) => seq <= heldAfter).map(toTimelineEntry);
    const known = new Set(all.map(({ seq }) => seq));
    const entries = [...stored.filter(({ seq }) => !known.has(seq)), ...recorded];
    entries.sort((one, other) => one.seq - other.seq);
    this.#send({ type: 'timeline', target, machine, entries });
  }

  #sendEntries(heldAfter: number): void {
    const ready = this.#entries.filter(({ seq }) => seq <= heldAfter).sort((a, b) => a.seq - b.seq);
    this.#entries = this.#entries.filter(({ seq }) => seq > heldAfter);
    for (const entry of ready) this.#send({ type: 'entry', entry: toTimelineEntry(entry) });
  }

  /** Whether the page does not read what was sent already. */
  #isBehind(): boolean {
    const { socket, clock } = this.#parts;
    if (this.#behindSinceMs === undefined) {
      if (socket.bufferedBytes <= BEHIND_BYTES) return false;
      this.#behindSinceMs = clock.nowMs();
    } else if (socket.bufferedBytes <= CAUGHT_UP_BYTES) {
      this.#behindSinceMs = undefined;
      this.#initialized = false;
      return false;
    }
    if (clock.nowMs() - this.#behindSinceMs > BEHIND_MS_MAX) socket.close(TRY_AGAIN_LATER, 'too slow');
    return true;
  }
}

function read(text: string): PageMessage | undefined {
  try {
    const message: unknown = parseOutsideJson(text);
    return checkMessage(message).length === 0 ? (message as PageMessage) : undefined;
  } catch {
    return undefined;
  }
}
