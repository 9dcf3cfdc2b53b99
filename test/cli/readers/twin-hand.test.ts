import { expect, test } from 'vitest';
import { runControl } from '../../../cli/readers/twin-hand.ts';
import { stoppableControlsOf } from '../../../simulator/twins/stand-alone/stand-alone-device.ts';
import { memoryOf } from '../../../simulator/twins/stand-alone/journal.ts';
import { createCardTray } from '../../../simulator/twins/twin.ts';

/** Types a line at a terminal where an operator's `stop` returns `stops`. Returns what is printed. */
function typed(line: string, stops?: boolean): string | undefined {
  const [word = '', argument] = line.split(' ');
  const tray = createCardTray();
  if (stops !== undefined) memoryOf(tray).stop = () => stops;
  let printed = '';
  const out = { write: (text: string) => void (printed += text), isTerminal: false, colours: false };
  const known = runControl(stoppableControlsOf(tray), { word, argument, out });
  return known ? printed : undefined;
}

test.each([
  ['a payment that can be stopped', true, ''],
  ['the bank is asked', false, 'nothing runs that can be stopped\n'],
  ['nothing runs', undefined, 'nothing runs that can be stopped\n'],
])('typed control `stop`, while %s: prints whether it stops', (_, stops, printed) => {
  expect(typed('stop', stops)).toBe(printed);
});

test.each([
  ['type 12a4', 'type takes digits\n'],
  ['type', 'type takes digits\n'],
  ['paper uot', 'paper takes one of: in, out\n'],
])('typed control `%s`: prints what it takes', (line, printed) => {
  expect(typed(line)).toBe(printed);
});

test.each(['constructor', '__proto__', 'begin'])('typed word `%s`: is no control', (word) => {
  expect(typed(word)).toBeUndefined();
});
