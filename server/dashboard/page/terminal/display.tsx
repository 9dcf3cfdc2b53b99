import type { FleetTerminal } from '../../view.ts';

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
