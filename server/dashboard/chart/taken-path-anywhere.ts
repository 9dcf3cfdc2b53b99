import type { Box, Point } from './chart.ts';
import { LINE_PX } from './sizes.ts';
import type { TakenPath } from './taken-path.ts';
import { ARROW_LENGTH, CHIP_HEIGHT, chipWidth, textWidth } from './taken-path-rows.ts';
import { sansWidth } from './text-size.ts';

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
