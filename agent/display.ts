import { encode, type Envelope } from '../protocol/message.ts';
import { DisplayShown } from '../protocol/messages/inspection.messages.ts';

export interface DisplayParts {
  terminalId: string;
  look(): string[];
  /** Id of the current action, or of the last one. */
  actionId(): string | undefined;
  isOnline(): boolean;
  publish(envelope: Envelope): void;
  /** Called whenever the display changes. */
  onScreen?: ((lines: string[]) => void) | undefined;
}

/** Publishes the lines of the display when they change. */
interface Display {
  /** Publishes the lines if they have changed. */
  show(): void;
  /** Publishes the lines again, after a reconnection. */
  connected(): void;
}

export function createDisplay({
  terminalId,
  look,
  actionId,
  isOnline,
  publish,
  onScreen,
}: DisplayParts): Display {
  let seen = '';
  let told = '';
  let due = false;

  const tell = () => {
    due = false;
    if (!isOnline()) return;
    const id = actionId();
    const body = { lines: look(), ...(id !== undefined && { actionId: id }) };
    const text = JSON.stringify(body);
    if (text === told) return;
    told = text;
    publish(encode(DisplayShown, terminalId, body));
  };
  // Publish once for all steps of one turn of the event loop.
  const tellSoon = () => {
    if (due) return;
    due = true;
    setImmediate(tell);
  };
  return {
    show() {
      const lines = look();
      if (lines.join('\n') === seen) return;
      seen = lines.join('\n');
      onScreen?.(lines);
      tellSoon();
    },
    connected() {
      told = '';
      tellSoon();
    },
  };
}
