import { signal } from '@preact/signals';
import type { OfferedCard } from '../../view.ts';
import { nextScript, SCRIPTS, type Script } from './cardholder.ts';
import { useCards } from './card-picker.tsx';

/** The card of the next action; undefined for the one that the script usually has. */
const nextCard = signal<string | undefined>(undefined);

/** Returns what the cardholder does in the action that is started; undefined for what is set for the terminal. */
export function nextCardholder(): { script: Script; card?: string } | undefined {
  const [script, card] = [nextScript.peek(), nextCard.peek()];
  return script === null ? undefined : { script, ...(card !== undefined && { card }) };
}

/** Selects what the simulated cardholder does in the action that is started, and with which card, and in no other. */
export function NextCardholder() {
  const cards = useCards().filter((card) => fits(card, nextScript.value));
  const choose = (script: Script | null) => {
    nextScript.value = script;
    if (
      !fits(
        cards.find(({ name }) => name === nextCard.value),
        script,
      )
    )
      nextCard.value = undefined;
  };
  return (
    <>
      <label class="field across beside">
        <span>Cardholder</span>
        <select
          value={nextScript.value ?? ''}
          onChange={({ currentTarget: { value } }) =>
            choose(SCRIPTS.find(({ script }) => script === value)?.script ?? null)
          }
        >
          {SCRIPTS.map(({ script, label }) => (
            <option key={script} value={script}>
              {label}
            </option>
          ))}
          <option value="">As set for the terminal</option>
        </select>
      </label>
      {cards.length > 0 && (
        <label class="field across beside">
          <span>Card</span>
          <select
            value={nextCard.value ?? ''}
            onChange={({ currentTarget: { value } }) => (nextCard.value = value || undefined)}
          >
            <option value="">The usual one</option>
            {cards.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

/** Returns whether a cardholder of this script can present the card. */
function fits(card: OfferedCard | undefined, script: Script | null): boolean {
  const { presents } = SCRIPTS.find((known) => known.script === script) ?? {};
  if (!card || !presents) return false;
  return presents === 'any' || card.entryModes.includes(presents);
}
