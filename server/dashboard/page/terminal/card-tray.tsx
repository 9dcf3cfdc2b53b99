import { signal } from '@preact/signals';
import type { FleetTerminal } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';
import { CardPicker, useCards } from './card-picker.tsx';
import { SCRIPTS, ENTRY_METHODS, entryModeFor, type EntryMethod } from './cardholder.ts';
import type { TerminalControls } from './use-terminal.ts';

/** The selected card, which stays selected when the page shows another terminal. */
const chosen = signal<string | undefined>(undefined);

/** The cards, with the buttons to present them at this terminal. */
export function CardTray({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const cards = useCards();
  const card = cards.find(({ name }) => name === chosen.value) ?? cards[0];
  const isCardAtReader = terminal.deviceState?.card != null;

  const present = (method: EntryMethod) =>
    controls.act('present-card', { card: card!.name, entryMode: entryModeFor(card!, method) });
  return (
    <section class="card-tray" aria-label="Cards">
      <Cardholder terminal={terminal} controls={controls} />
      <div class="field beside">
        <span aria-hidden="true">Card</span>
        <CardPicker cards={cards} card={card} choose={(name) => (chosen.value = name)} />
      </div>
      <div class="gestures">
        {ENTRY_METHODS.map((method) => (
          <button
            key={method.name}
            type="button"
            disabled={!card || !entryModeFor(card, method)}
            onClick={() => present(method)}
          >
            <Icon name={method.icon} />
            {method.name}
          </button>
        ))}
        <button type="button" disabled={!isCardAtReader} onClick={() => controls.act('remove-card')}>
          <Icon name="eject" />
          Remove
        </button>
      </div>
      {terminal.action?.state === 'awaitingPin' && (
        <p class="hint-line">The PIN of every test card is 1234.</p>
      )}
    </section>
  );
}

/**
 * The script of the action in progress, as the terminal reports it; selecting another changes it for that action alone.
 */
function Cardholder({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const { action } = terminal;
  if (action?.status !== 'InProgress') return null;
  const script = terminal.deviceState?.cardholder;
  return (
    <label class="field beside">
      <span>Cardholder</span>
      <select
        value={script ?? ''}
        onChange={(event) => {
          const selected = SCRIPTS.find((one) => one.script === event.currentTarget.value);
          if (selected) void controls.setCardholder(action.id, selected.script);
        }}
      >
        {script === undefined && <option value="">Not reported</option>}
        {SCRIPTS.map(({ script: one, label }) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
