import { useRef, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import type { TerminalControls } from './use-terminal.ts';
import { Icon } from '../parts/icons.tsx';
import { useCards } from './card-picker.tsx';
import { isKeyOf } from '../../../../protocol/tables.ts';

const FUNCTIONS = {
  cancel: { label: 'Cancel', icon: 'cross' },
  clear: { label: 'Clear', icon: 'erase' },
  enter: { label: 'Enter', icon: 'enter' },
} as const;

/** Keeps the focus on the device: a clicked key with the focus would be pressed again by Enter. */
function focusDevice(event: preact.TargetedMouseEvent<HTMLElement>): void {
  event.preventDefault();
  event.currentTarget.closest<HTMLElement>('.device')?.focus();
}

function Keypad({ press, pressed }: { press: (key: Key) => void; pressed: Key | undefined }) {
  return (
    <div class="keypad" role="group" aria-label="Keypad" onMouseDown={focusDevice}>
      {KEY_ROWS.flat().map((key) => {
        const { label, icon } = isKeyOf(FUNCTIONS, key) ? FUNCTIONS[key] : { label: key, icon: undefined };
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

const LIGHTS = 4;

/** Returns how many of the reader's four lights are on, and their colour. */
function lightsOf({ online, action }: FleetTerminal): { on: number; tone: string } {
  if (!online || !action) return { on: 0, tone: '' };
  if (action.status === 'Succeeded') return { on: LIGHTS, tone: 'good' };
  if (action.status === 'Failed') return { on: LIGHTS, tone: 'bad' };
  if (action.status === 'Cancelled') return { on: 0, tone: '' };
  const { state } = action;
  if (state === 'awaitingCard') return { on: 1, tone: 'good waiting' };
  if (state === 'reading' || state === 'awaitingPin' || state === 'verifyingPin')
    return { on: 2, tone: 'good' };
  if (state === 'authorising' || state === 'completingCard') return { on: 3, tone: 'good' };
  return state?.startsWith('approved') ? { on: LIGHTS, tone: 'good' } : { on: 0, tone: '' };
}

/** The cardholder's view: the lights of the reader and the lines of the display. */
export function Display({ terminal }: { terminal: FleetTerminal }) {
  const dark = terminal.deviceState?.power === 'off';
  const { on, tone } = dark ? { on: 0, tone: '' } : lightsOf(terminal);
  const [first = '', ...rest] = dark ? [] : terminal.screen;
  return (
    <>
      <div class="lights" aria-hidden="true">
        {Array.from({ length: LIGHTS }, (_, index) => (
          <i key={index} class={index < on ? tone : ''} />
        ))}
      </div>
      <div
        class={`display${dark ? ' dark' : ''}`}
        role="img"
        aria-label={`Display: ${[first, ...rest].join(', ') || 'dark'}`}
      >
        <span class="display-first">{first}</span>
        {rest.map((line, index) =>
          /^\*+$/.test(line) ? (
            <span key={index} class="display-pin">
              {'•'.repeat(line.length)}
            </span>
          ) : (
            <span key={index}>{line}</span>
          ),
        )}
      </div>
    </>
  );
}

/** The slot of the reader with the card that is in it, or in its field. */
export function CardSlot({ card }: Pick<NonNullable<FleetTerminal['deviceState']>, 'card'>) {
  const cards = useCards();
  const title = card && (cards.find(({ name }) => name === card.name)?.title ?? card.name);
  return (
    <p class={`card-slot${card ? ' full' : ''}`} data-card={card?.name ?? ''}>
      {card ? `${title}, ${card.entryMode.toLowerCase()}` : 'No card at the reader'}
    </p>
  );
}

type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel';

/** The layout of the keypad, row by row. */
export const KEY_ROWS: readonly (readonly Key[])[] = [
  ['1', '2', '3', 'cancel'],
  ['4', '5', '6', 'clear'],
  ['7', '8', '9', 'enter'],
  ['0'],
];

/** Maps a key of the computer's keyboard to a key of the device. */
export function keyOf(name: string): Key | undefined {
  if (/^[0-9]$/.test(name)) return name as Key;
  return ({ Enter: 'enter', Backspace: 'clear', Delete: 'clear', Escape: 'cancel' } as const)[name];
}
