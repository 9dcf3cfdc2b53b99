import { Icon } from '../parts/icons.tsx';
import { KEY_ROWS, type Key } from './keys.ts';

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

export function Keypad({ press, pressed }: { press: (key: Key) => void; pressed: Key | undefined }) {
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
