import type { TextSocket } from '../../../server/platform/http/text-socket.ts';
import type { LiveMessage, PageMessage } from '../../../server/dashboard/view.ts';

/** A page's end of the live connection, without a network. */
export interface LivePage extends TextSocket {
  /** What it was told, oldest first. */
  told: LiveMessage[];
  /** Everything, as it came over the wire. */
  readonly text: string;
  say(message: PageMessage | string): void;
  /** The last message of a type. */
  last<T extends LiveMessage['type']>(type: T): Extract<LiveMessage, { type: T }> | undefined;
  closed: { code: number; reason: string } | undefined;
  bufferedBytes: number;
}

export function livePage(): LivePage {
  let hear: (text: string) => void = () => {};
  const closers: (() => void)[] = [];
  const texts: string[] = [];
  const page: LivePage = {
    told: [],
    closed: undefined,
    bufferedBytes: 0,
    get text() {
      return texts.join('\n');
    },
    send(text) {
      if (page.closed) return;
      texts.push(text);
      page.told.push(JSON.parse(text) as LiveMessage);
    },
    close(code, reason) {
      page.closed ??= { code, reason };
      for (const close of closers.splice(0)) close();
    },
    admit: () => true,
    onText: (listener) => (hear = listener),
    onClose: (listener) => void closers.push(listener),
    say: (message) => hear(typeof message === 'string' ? message : JSON.stringify(message)),
    last: <T extends LiveMessage['type']>(type: T) =>
      page.told.findLast((message): message is Extract<LiveMessage, { type: T }> => message.type === type),
  };
  return page;
}
