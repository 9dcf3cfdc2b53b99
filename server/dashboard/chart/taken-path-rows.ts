import { LINE_HEIGHT, LINE_PX, NAME_PX, tagWidth, type Size } from './sizes.ts';
import type { PathArrow, PathExit, PathState } from './taken-path.ts';
import { isInside } from './state-tree.ts';
import { monoWidth, sansWidth } from './text-size.ts';

/** Dimensions of a drawing of a path, in pixels. */
export const EXIT_HEIGHT = 17;
export const CHIP_HEIGHT = 15;
export const PLATE_PAD_X = 6;
export const PLATE_PAD_Y = 1;
/** Between the box of a state and what leads elsewhere: the line that the exits share, and their arrows. */
export const BUS_GAP = 12;
export const ARROW_LENGTH = 16;
const CHIP_PAD = 6;
const BOX_WIDTH_MIN = 84;
const BOX_PAD_X = 10;
const NAME_LINE = 25;
const SECOND_LINE = 18;
/** The longest text of an exit, in letters. */
const EXIT_LETTERS_MAX = 26;
/** Letters of an arrow's label before its guard goes to a second line; fewer in a lane, which is as wide as its label. */
const LABEL_LETTERS_MAX = 34;
const LANE_LETTERS_MAX = 18;

/** One line beside a state: an event that it handled, or what leads to a neighbour. */
export interface ExitLine {
  text: string;
  /** All events, for a tooltip. */
  about: string;
  /** Path of the neighbour; null for an event handled without leaving the state. */
  to: string | null;
  /** The neighbour's name within the state that both are part of. */
  name: string;
  /** The number of steps before the one that took it; null when it was not taken. */
  firstStep: number | null;
}

/**
 * Returns the lines beside a state.
 * @param withEvents whether a line names the first event that leads to its neighbour
 */
export function exitLines(
  { handled, exits, within }: Pick<PathState, 'handled' | 'exits' | 'within'>,
  withEvents: boolean,
): ExitLine[] {
  return [
    ...handled.map(({ event, firstStep }) => ({
      text: `↺ ${event}`,
      about: event,
      to: null,
      name: '',
      firstStep,
    })),
    ...exits.map((exit) => ({ ...exitLine(exit, within), ...(!withEvents && { text: '' }) })),
  ];
}

function exitLine({ to, events }: PathExit, within: string): ExitLine {
  const [first] = events;
  const short = events.length === 1 ? oneLine(first!) : `${first!.event} +${events.length - 1}`;
  const text = short.length <= EXIT_LETTERS_MAX ? short : first!.event;
  const about = `${events.map(oneLine).join(', ')} → ${to}`;
  const name = isInside(to, within) && within !== '' ? to.slice(within.length + 1) : to;
  return { text, about, to, name, firstStep: null };
}

function oneLine({ event, guard }: { event: string; guard: string | null }): string {
  return guard === null ? event : `${event} [${guard}]`;
}

/** One line of the label of an arrow, and the step that took its transition first. */
export interface LabelLine {
  text: string;
  firstStep: number;
}

/** Returns the lines of an arrow's label. Eventless transitions without a guard have none. */
export function arrowLines({ events }: PathArrow, { inLane }: { inLane: boolean }): LabelLine[] {
  const lettersMax = inLane ? LANE_LETTERS_MAX : LABEL_LETTERS_MAX;
  return events
    .filter(({ event, guard }) => event !== 'always' || guard !== null)
    .flatMap(({ event, guard, firstStep }) => {
      if (event === 'always') return [{ text: `[${guard}]`, firstStep }];
      const whole = oneLine({ event, guard });
      const texts = whole.length <= lettersMax ? [whole] : [event, `[${guard}]`];
      return texts.map((text) => ({ text, firstStep }));
    });
}

export function plateSize(lines: readonly LabelLine[]): Size {
  if (lines.length === 0) return { width: 0, height: 0 };
  return {
    width: Math.ceil(Math.max(...lines.map(({ text }) => monoWidth(text, LINE_PX)))) + 2 * PLATE_PAD_X,
    height: lines.length * LINE_HEIGHT + 2 * PLATE_PAD_Y,
  };
}

/** The second line of a box: the status of the state, or the state that it is part of. */
export function boxSizeOf({ name, tag, within }: PathState): Size {
  const second = tag !== null ? tagWidth(tag) : within === '' ? 0 : sansWidth(within, LINE_PX);
  return {
    width:
      Math.ceil(Math.max(BOX_WIDTH_MIN - 2 * BOX_PAD_X, sansWidth(name, NAME_PX), second)) + 2 * BOX_PAD_X,
    height: NAME_LINE + (second === 0 ? 0 : SECOND_LINE),
  };
}

export function textWidth(text: string): number {
  return Math.ceil(monoWidth(text, LINE_PX));
}

export function chipWidth(to: string): number {
  return Math.ceil(sansWidth(to, LINE_PX)) + 2 * CHIP_PAD;
}
