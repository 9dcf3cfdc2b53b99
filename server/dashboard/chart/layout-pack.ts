import type { Point } from './chart.ts';
import type { Size } from './sizes.ts';

const GAP = 32;
/** The maximum width of a chart, pixels, unless one of its parts is wider. */
const WIDTH = 1_000;

interface Packed extends Size {
  places: Point[];
}

/**
 * Positions the parts of a chart that no arrow connects. The first goes below the title. The others can be reached
 * from any state, so they go beside the list of those transitions or, without such a list, below the first part.
 */
export function packGroups(title: Size, listed: boolean, [main, ...others]: Size[]): Packed {
  const mainSize = main ?? { width: 0, height: 0 };
  const room = Math.max(mainSize.width, WIDTH);
  const top = title.height + GAP / 2;
  if (!listed) {
    const row = flow(others, { x: 0, y: top + mainSize.height + GAP, room });
    return fit([{ x: 0, y: top }, ...row.places], [mainSize, ...others], title);
  }
  const beside = flow(others, { x: title.width + 2 * GAP, y: 0, room });
  const below = Math.max(top, beside.bottom + GAP);
  const right = Math.max(title.width, ...others.map((other, at) => beside.places[at]!.x + other.width));
  const x = Math.max(0, (right - mainSize.width) / 2);
  return fit([{ x, y: others.length > 0 ? below : top }, ...beside.places], [mainSize, ...others], title);
}

/** Positions the parts in rows, as words wrap. */
function flow(
  sizes: Size[],
  { x: left, y: top, room }: Point & { room: number },
): { places: Point[]; bottom: number } {
  let [x, y, bottom] = [left, top, top];
  const places = sizes.map(({ width, height }) => {
    if (x > left && x + width > room) [x, y] = [left, bottom + GAP];
    const place = { x, y };
    x += width + GAP;
    bottom = Math.max(bottom, y + height);
    return place;
  });
  return { places, bottom };
}

function fit(places: Point[], sizes: Size[], title: Size): Packed {
  return {
    places,
    width: Math.max(title.width, ...places.map(({ x }, at) => x + sizes[at]!.width)),
    height: Math.max(title.height, ...places.map(({ y }, at) => y + sizes[at]!.height)),
  };
}
