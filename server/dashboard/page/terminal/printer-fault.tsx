import { useState } from 'preact/hooks';
import { PRINTER_STATES } from '../../../../protocol/receipt-printer.ts';
import { isKeyOf, keysOf } from '../../../../protocol/tables.ts';
import type { TerminalControls } from './use-terminal.ts';

/** When a state of the list begins; the words are those of the control `fault`. */
const MOMENTS = {
  'between copies': 'after cut 1',
  'in the next copy': 'after line 5',
  'after both copies': 'after cut 2',
  now: undefined,
} as const;

type Moment = keyof typeof MOMENTS;

/** Returns when a state can begin: nothing is connected to the printer, to be unplugged, but in a copy. */
export function momentsOf(state: string): Moment[] {
  return keysOf(MOMENTS).filter((moment) => state !== 'unplugged' || moment !== 'now');
}

/** Returns the control that puts the printer into a state at a moment. */
export function faultControl(state: string, moment: Moment): { control: string; argument: string } {
  const after = MOMENTS[moment];
  if (after === undefined) return { control: 'state', argument: state };
  return { control: 'fault', argument: `${state} ${after}` };
}

/** Chooses what happens to a simulated printer, and when. */
export function PrinterFault({ controls }: { controls: TerminalControls }) {
  const [state, setState] = useState<string>(PRINTER_STATES[0]);
  const [chosen, setMoment] = useState<Moment>('between copies');
  const moments = momentsOf(state);
  const moment = moments.includes(chosen) ? chosen : 'between copies';
  const set = (event: Event) => {
    event.preventDefault();
    void controls.act('control', faultControl(state, moment));
  };
  return (
    <form class="printer-fault" onSubmit={set}>
      <label class="field">
        Fault
        <select value={state} onChange={({ currentTarget }) => setState(currentTarget.value)}>
          {PRINTER_STATES.map((name) => (
            <option key={name} value={name}>
              {name.replace('-', ' ')}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        When
        <select
          value={moment}
          onChange={({ currentTarget: { value } }) => isKeyOf(MOMENTS, value) && setMoment(value)}
        >
          {moments.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit">Set</button>
    </form>
  );
}
