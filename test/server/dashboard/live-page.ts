import type { TextSocket } from '../../../server/platform/http/sockets/text-socket.ts';
import type { LiveMessage, PageMessage } from '../../../server/dashboard/view.ts';

/** The page's end of a live connection in memory. */
export interface LivePage extends TextSocket {
  /** Received messages, oldest first. */
  received: LiveMessage[];
  /** All received messages as text. */
  readonly text: string;
  sendText(message: PageMessage | string): void;
  /** The last message of a type. */
  last<T extends LiveMessage['type']>(type: T): Extract<LiveMessage, { type: T }> | undefined;
  closed: { code: number; reason: string } | undefined;
  bufferedBytes: number;
}

export function livePage(): LivePage {
  let onMessage: (text: string) => void = () => {};
  const closers: (() => void)[] = [];
  const texts: string[] = [];
  const page: LivePage = {
    received: [],
    closed: undefined,
    bufferedBytes: 0,
    get text() {
      return texts.join('\n');
    },
    send(text) {
      if (page.closed) return;
      texts.push(text);
      page.received.push(JSON.parse(text) as LiveMessage);
    },
    close(code, reason) {
      page.closed ??= { code, reason };
      for (const close of closers.splice(0)) close();
    },
    admit: () => true,
    onText: (listener) => (onMessage = listener),
    onClose: (listener) => void closers.push(listener),
    sendText: (message) => onMessage(typeof message === 'string' ? message : JSON.stringify(message)),
    last: <T extends LiveMessage['type']>(type: T) =>
      page.received.findLast(
        (message): message is Extract<LiveMessage, { type: T }> => message.type === type,
      ),
  };
  return page;
}
