import { formatTime } from '../../server/dashboard/page/format.ts';
import type { Lane, TimelineEntry } from '../../server/dashboard/view.ts';
import type { Colour } from '../command-line/output.ts';
import { titledRule } from './draw-action.ts';
import type { FleetModel } from './fleet-model.ts';
import type { Row } from './text-screen.ts';
import { sanitizeText } from '../command-line/sanitize-text.ts';

/** Labels of the lanes. Steps of the terminal's own machine are labelled `step`. */
const LANE_WORDS: Record<Lane, string> = { api: 'API', wire: 'wire', machine: 'server', events: 'event' };
const TONES: Record<TimelineEntry['tone'], Colour | undefined> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  warn: 'yellow',
};

/** Draws the last events of the selected terminal, as many as fit into `rows`. */
export function eventRows({ entries, machine }: FleetModel, columns: number, rows: number): Row[] {
  if (rows < 2) return [];
  const last = entries.slice(1 - rows).map((entry): Row => {
    const { atMs, lane, title, tone, step } = entry;
    const event = step ? `   ${sanitizeText(step.event)}` : '';
    const word = step && step.machineId === machine?.machineId ? 'step' : LANE_WORDS[lane];
    return [
      { text: ` ${formatTime(atMs)}  ${word.padEnd(7)}`, colour: 'dim' },
      { text: sanitizeText(title), colour: TONES[tone] },
      { text: event, colour: 'dim' },
    ];
  });
  const none: Row[] = last.length === 0 ? [[{ text: ' No entries yet.', colour: 'dim' }]] : [];
  return [titledRule('Events', columns), ...last, ...none];
}
