import { useRef, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { CardSlot } from './card-slot.tsx';
import { Display } from './display.tsx';
import { Keypad } from './keypad.tsx';
import { keyOf, type Key } from './keys.ts';
import type { TerminalControls } from './use-terminal.ts';

/** The device: its display and its keys. The computer's keyboard operates it while it has the focus. */
export function Device({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const [pressed, setPressed] = useState<Key>();
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const press = (key: Key) => {
    // Keys are sent in the order in which they are pressed.
    queue.current = queue.current.then(() => controls.act('press-keys', { keys: [key] }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = (event.target as HTMLElement).tagName === 'BUTTON';
    const key = keyOf(event.key);
    // Enter on a key that has the focus presses that key.
    if (!key || (key === 'enter' && onButton)) return;
    event.preventDefault();
    setPressed(key);
    press(key);
  };
  return (
    <section
      class={`device${terminal.deviceState?.power === 'off' ? ' without-power' : ''}`}
      aria-label="Device. Digits, Enter, Backspace and Escape press its keys while it has the focus"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onKeyUp={() => setPressed(undefined)}
    >
      <Display terminal={terminal} />
      {terminal.deviceState && <CardSlot card={terminal.deviceState.card} />}
      <Keypad press={press} pressed={pressed} />
    </section>
  );
}
