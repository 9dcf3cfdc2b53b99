import { useRef, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { CardSlot } from './card-slot.tsx';
import { Display } from './display.tsx';
import { keyOf, type Key, KEY_ROWS } from './keys.ts';
import type { TerminalControls } from './use-terminal.ts';
import { Icon } from '../parts/icons.tsx';

const FUNCTIONS = {
  cancel: { label: 'Cancel', icon: 'cross' },
  clear: { label: 'Clear', icon: 'erase' },
  enter: { label: 'Enter', icon: 'enter' },
} as const;

/** Keeps the focus on the device: a clicked key with the focus would be pressed again by Enter. */
function focusDevice(event: MouseEvent): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).closest<HTMLElement>('.device')?.focus();
}

function Keypad({ press, pressed }: { press: (key: Key) => void; pressed: Key | undefined }) {
  return (
    <div class="keypad" role="group" aria-label="Keypad" onMouseDown={focusDevice}>
      {KEY_ROWS.flat().map((key) => {
        const { label, icon } =
          key in FUNCTIONS ? FUNCTIONS[key as keyof typeof FUNCTIONS] : { label: key, icon: undefined };
        return (
          <button
            key={key}
            type="button"
            class={`key key-${key}${pressed === key ? ' pressed' : ''}`}
            aria-label={label}
            onClick={() => press(key)}
          >
            {icon ? <Icon name={icon} size={18} /> : key}
          </button>
        );
      })}
    </div>
  );
}

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
