import type { BytePort } from '../../../agent/readers/byte-port.ts';
import type { DriverParts } from '../../../agent/readers/driver.ts';
import type { PcscInterface } from '../../../agent/readers/pcsc/pcsc-interface.ts';
import { after, type Clock } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { RecordedEvent } from './saved-examination.ts';

/** Where the driver does something else than the recording has. */
export interface Difference {
  what: string;
  recorded: string;
  replayed: string;
}

/** A device that does what the recorded one did. */
interface ReplayedDevice extends Pick<DriverParts, 'open' | 'pcsc'> {
  /** How many pieces of the recording the driver was given. */
  readonly played: number;
  readonly difference: Difference | undefined;
  /** What the driver did in the recording and has not done. */
  readonly left: string | undefined;
}

const ENDED = 'the replay ended here';

/** A place in the recording, which the driver moves on. */
interface Cursor {
  readonly played: number;
  readonly difference: Difference | undefined;
  readonly left: string | undefined;
  /**
   * Returns what the recording has where the driver does something.
   * @throws Fault `reader` where it is something else; the first time this is the difference.
   */
  next(what: string, replayed: string, isSame: (event: RecordedEvent) => boolean): RecordedEvent;
  /** Returns what the device did until the driver did something again. */
  responses(): RecordedEvent[];
  /** Returns the bytes of an answer, which counts as played. */
  play(hex: string): Uint8Array;
}

function createCursor(events: readonly RecordedEvent[]): Cursor {
  let at = 0;
  let played = 0;
  let difference: Difference | undefined;
  const responses = () => {
    const start = at;
    while (events[at] && !isOfDriver(events[at]!)) at += 1;
    return events.slice(start, at);
  };
  return {
    get played() {
      return played;
    },
    get difference() {
      return difference;
    },
    get left() {
      const event = events.slice(at).find(isOfDriver);
      return event && textOf(event);
    },
    next(what, replayed, isSame) {
      responses();
      const event = difference ? undefined : events[at];
      if (event && isSame(event)) {
        at += 1;
        return event;
      }
      difference ??= { what, recorded: event ? textOf(event) : 'nothing more', replayed };
      throw new Fault('reader', ENDED);
    },
    responses,
    play(hex) {
      played += 1;
      return Uint8Array.from(Buffer.from(hex, 'hex'));
    },
  };
}

function isOfDriver({ event }: RecordedEvent): boolean {
  return event !== 'received' && event !== 'closed';
}

/** Returns whether bytes are those of the recording, whose hidden ones may be any. */
function hexFits(recorded: string | undefined, bytes: Uint8Array): boolean {
  return recorded !== undefined && new RegExp(`^${recorded.replaceAll('·', '.')}$`).test(toHex(bytes));
}

/** Creates a device from what was recorded. It compares what the driver does, and ends at the first difference. */
export function replayDevice(events: readonly RecordedEvent[], clock: Clock, path: string): ReplayedDevice {
  const cursor = createCursor(events);
  const open = (what: string) => {
    const opening = cursor.next(
      'the port is opened',
      what,
      ({ event }) => event === 'opened' || event === 'notOpened',
    );
    if (opening.event === 'notOpened') throw new Fault('reader', opening.note ?? ENDED);
    return opening;
  };
  const call: ReplayCall = (given, command) => {
    const replayed = command ? `${given}: ${toHex(command)}` : given;
    const isSame = ({ note, sent }: RecordedEvent) => note === given && (!command || hexFits(sent, command));
    const {
      code = 0,
      handle = 0,
      state = 0,
      names = [],
      received = '',
    } = cursor.next('the driver calls', replayed, isSame);
    return { code, handle, word: state, names, bytes: cursor.play(received) };
  };
  return {
    open: async () => replayedPort(open('opens the port'), { cursor, clock, path }),
    pcsc: {
      reader: path.slice(path.indexOf(':') + 1),
      async load() {
        open('loads the library');
        // What frees the card and the contexts may come after the last step that is compared.
        return replayedCalls(call, (given) => (cursor.left === undefined ? 0 : call(given).code));
      },
    },
    get played() {
      return cursor.played;
    },
    get difference() {
      return cursor.difference;
    },
    get left() {
      return cursor.left;
    },
  };
}

function replayedPort(
  { atMs, isLocal }: RecordedEvent,
  { cursor, clock, path }: { cursor: Cursor; clock: Clock; path: string },
): BytePort {
  let onData: ((bytes: Uint8Array) => void) | undefined;
  const waiting: Uint8Array[] = [];
  const onClose: ((reason: string) => void)[] = [];
  let isOpen = true;
  const end = (reason: string) => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of onClose) listener(reason);
  };
  const give = (event: RecordedEvent) => {
    if (!isOpen) return;
    if (event.event === 'closed') return end(event.note ?? ENDED);
    const bytes = cursor.play(event.received ?? '');
    if (onData) onData(bytes);
    else waiting.push(bytes);
  };
  const respond = (sinceMs: number) => {
    for (const event of cursor.responses()) after(clock, event.atMs - sinceMs, () => give(event));
  };
  respond(atMs);
  return {
    path,
    ...(isLocal !== undefined && { isLocal }),
    async write(bytes) {
      try {
        respond(cursor.next('the driver sends', toHex(bytes), ({ sent }) => hexFits(sent, bytes)).atMs);
      } catch (error) {
        end(ENDED);
        throw error;
      }
    },
    onData(listener) {
      onData = listener;
      for (const bytes of waiting.splice(0)) listener(bytes);
    },
    onClose: (listener) => void onClose.push(listener),
    async close() {
      end('closed');
    },
  };
}

type ReplayCall = (
  given: string,
  command?: Uint8Array,
) => { code: number; handle: number; word: number; names: string[]; bytes: Uint8Array };

function replayedCalls(call: ReplayCall, free: (given: string) => number): PcscInterface {
  return {
    async establishContext() {
      const { code, handle } = call('establishContext');
      return { code, context: handle };
    },
    releaseContext: async () => ({ code: free('releaseContext') }),
    cancel: async () => ({ code: 0 }),
    async listReaders() {
      const { code, names } = call('listReaders');
      return { code, names };
    },
    async getStatusChange(_, { reader, current, timeoutMs }) {
      const { code, word, bytes } = call(`getStatusChange ${reader} ${current} ${timeoutMs}`);
      return { code, event: word, atr: bytes };
    },
    async connect(_, { reader, share, protocols }) {
      const { code, handle, word } = call(`connect ${reader} ${share} ${protocols}`);
      return { code, card: handle, protocol: word };
    },
    disconnect: async (_, disposition) => ({ code: free(`disconnect ${disposition}`) }),
    async transmit(_, protocol, command) {
      const { code, bytes } = call(`transmit ${protocol}`, command);
      return { code, answer: bytes };
    },
    blockingModules: async () => call('blockingModules').names,
  };
}

/** Shows an event of the driver. */
function textOf({ event, sent, note }: RecordedEvent): string {
  if (event === 'sent') return sent ?? '';
  if (event === 'called') return sent === undefined ? (note ?? '') : `${note}: ${sent}`;
  return 'opens the port';
}
