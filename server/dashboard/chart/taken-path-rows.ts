import { LINE_HEIGHT, LINE_PX, NAME_PX, tagWidth, type Size, monoWidth, sansWidth } from './sizes.ts';
import type { PathArrow, PathExit, PathState, TakenPath } from './taken-path.ts';
import { isInside } from './state-tree.ts';
import type { Box, Point } from './chart.ts';

/** Dimensions of a drawing of a path, in pixels. */
export const EXIT_HEIGHT = 16;
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

/** A piece of the lines below a path: the caption, an event with its arrow, or a state that it leads to. */
export type PlacedAnywhere =
  | (Point & { kind: 'caption'; text: string })
  | (Point & { kind: 'event'; text: string; arrow: Point[] })
  | (Box & { kind: 'chip'; to: string });

const CAPTION = 'From any state';
const GAP = 8;
const GROUP_GAP = 18;
const LINE = 20;

/** Places the transitions that apply in any state in lines below a path, as words wrap. */
export function placeAnywhere(
  anywhere: TakenPath['anywhere'],
  { x: left, y: top, width }: Point & { width: number },
): { placed: PlacedAnywhere[]; right: number; bottom: number } {
  if (anywhere.length === 0) return { placed: [], right: left, bottom: top };
  const placed: PlacedAnywhere[] = [{ kind: 'caption', text: CAPTION, x: left, y: top }];
  let [x, y, right] = [left + Math.ceil(sansWidth(CAPTION, LINE_PX)) + GAP, top, left];
  const wrap = (piece: number) => {
    if (x + piece <= left + width || x === left) return;
    [x, y] = [left, y + LINE];
  };
  for (const { event, to } of anywhere) {
    const end = textWidth(event) + 4;
    wrap(end + ARROW_LENGTH + chipWidth(to[0]!));
    const arrow = [
      { x: x + end, y },
      { x: x + end + ARROW_LENGTH, y },
    ];
    placed.push({ kind: 'event', text: event, x, y, arrow });
    x += end + ARROW_LENGTH;
    for (const state of to) {
      wrap(chipWidth(state));
      const box = { x, y: y - CHIP_HEIGHT / 2, width: chipWidth(state), height: CHIP_HEIGHT };
      placed.push({ kind: 'chip', to: state, ...box });
      x += box.width + GAP;
      right = Math.max(right, box.x + box.width);
    }
    x += GROUP_GAP - GAP;
  }
  return { placed, right, bottom: y + CHIP_HEIGHT / 2 };
}
