import { encode, type Envelope } from '../protocol/message.ts';
import { DisplayShown } from '../protocol/messages/inspection.messages.ts';

export interface DisplayParts {
  terminalId: string;
  look(): string[];
  /** The action under way, or the last one. */
  actionId(): string | undefined;
  isOnline(): boolean;
  publish(envelope: Envelope): void;
  /** Called whenever the display changes. */
  onScreen?: ((lines: string[]) => void) | undefined;
}

/** The display: what changes on it is told to who stands in front, and to the server. */
interface Display {
  /** Looks whether it shows something else. */
  show(): void;
  /** The server may have missed what it showed before. */
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
  // What the steps of one turn show one after another, nobody can read.
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
