import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';
import { CardPicker } from './card-picker.tsx';
import { cardholderOf, SCRIPTS } from './cardholder.ts';
import { useCards } from './cards.ts';
import { ENTRY_METHODS, entryModeFor, type EntryMethod } from './entry-methods.ts';
import type { TerminalControls } from './use-terminal.ts';

/** The selected card, which stays selected when the page shows another terminal. */
const chosen = signal<string | undefined>(undefined);

/** The cards, with the buttons to present them at this terminal. */
export function CardTray({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const cards = useCards();
  const card = cards.find(({ name }) => name === chosen.value) ?? cards[0];
  const [inserted, setInserted] = useState(false);
  const status = terminal.action?.status;
  // The card is removed when an action ends.
  useEffect(() => {
    if (status !== 'InProgress') setInserted(false);
  }, [status]);

  const present = async (method: EntryMethod) => {
    const entryMode = entryModeFor(card!, method);
    if (await controls.act('present-card', { card: card!.name, entryMode }))
      setInserted(entryMode === 'Contact');
  };
  const remove = async () => {
    if (await controls.act('remove-card')) setInserted(false);
  };
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
        <button type="button" disabled={!inserted} onClick={remove}>
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
 * Selects the simulated cardholder of the terminal. Until the page selects one, the simulator's own default applies.
 */
function Cardholder({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const script = cardholderOf(terminal.id).value;
  return (
    <label class="field beside">
      <span>Cardholder</span>
      <select
        value={script ?? ''}
        onChange={(event) => {
          const selected = SCRIPTS.find((one) => one.script === event.currentTarget.value);
          if (selected) void controls.setCardholder(selected.script);
        }}
      >
        {script === undefined && <option value="">Default of the simulator</option>}
        {SCRIPTS.map(({ script: one, label }) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
