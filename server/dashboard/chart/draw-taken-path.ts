import type { Box } from './chart.ts';
import { drawStrike, drawTag, STRUCK } from './draw-state.ts';
import { roundedLine, tipAt, attribute, escapeXml } from './svg.ts';
import { LINE_HEIGHT, START_SIZE, tagWidth } from './sizes.ts';
import { isInside } from './state-tree.ts';
import { type PlacedAnywhere, PLATE_PAD_X, PLATE_PAD_Y, textWidth } from './taken-path-rows.ts';
import type { PlacedArrow } from './taken-path-arrows.ts';
import type { PathLayout, PlacedExit, PlacedRow } from './taken-path-layout.ts';

/** The moment that is drawn. */
interface PathMoment {
  /** The number of steps up to the moment; later ones are pale. */
  stepCount: number;
  /** Path of the active state. */
  active: string | null;
  /** Paths of states in which a fault struck. */
  struck?: ReadonlySet<string>;
}

/**
 * Returns the drawing of a path as SVG text, in the style of the page. States carry `data-state`, arrows
 * `data-arrow`, exits `data-exit`.
 */
export function drawTakenPath(layout: PathLayout, moment: PathMoment): string {
  const { width, height, rows, arrows, anywhere, start } = layout;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart page path" viewBox="0 0 ${width} ${height}" width="${width}"` +
      ` height="${height}" role="group" aria-label="States passed through and their neighbours">`,
    start ? drawStartDot(start) : '',
    ...rows.flatMap(({ box, exits }) => drawExits(box, exits, moment)),
    ...arrows.map((arrow) => drawArrow(arrow, moment)),
    ...rows.map((row) => drawRow(row, moment)),
    ...arrows.map((arrow) => drawLabel(arrow, moment)),
    ...anywhere.map(drawAnywhere),
    '</svg>\n',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function drawStartDot({ x, y, points }: NonNullable<PathLayout['start']>): string {
  return (
    `<g class="start"><circle class="dot" cx="${x}" cy="${y}" r="${START_SIZE / 2 - 1}"/>` +
    `<path class="line" d="${roundedLine(points)}"/><path class="tip" d="${tipAt(points)}"/></g>`
  );
}

function isTaken(firstStep: number, { stepCount }: PathMoment): boolean {
  return firstStep < stepCount;
}

function drawRow({ state, box }: PlacedRow, moment: PathMoment): string {
  const middle = box.x + box.width / 2;
  const { path, name, tag, within, final, firstStep } = state;
  const isActive = moment.active !== null && (moment.active === path || isInside(moment.active, path));
  const status = isActive ? 'active' : isTaken(firstStep, moment) ? 'visited' : '';
  const isStruck = moment.struck?.has(path) ?? false;
  const classes = ['state', final && 'final', status].filter(Boolean).join(' ');
  const said = [path, tag, final && 'final', isActive ? 'the machine is here' : status, isStruck && STRUCK];
  return [
    `<g class="${classes}"${attribute('data-state', path)} role="img"${attribute('aria-label', said.filter(Boolean).join(', '))}>`,
    isActive ? rect('halo', box, -3) : '',
    rect('box', box, 0),
    final ? rect('inner', box, 3) : '',
    `<text text-anchor="middle" x="${middle}" y="${box.y + 17.5}">${escapeXml(name)}</text>`,
    tag === null
      ? within &&
        `<text class="caption" text-anchor="middle" x="${middle}" y="${box.y + 34}">${escapeXml(within)}</text>`
      : drawTag(tag, middle - tagWidth(tag) / 2, box.y + 22),
    isStruck ? drawStrike(box) : '',
    '</g>',
  ].join('');
}

function rect(kind: string, { x, y, width, height }: Box, by: number): string {
  return `<rect class="${kind}" x="${x + by}" y="${y + by}" width="${width - 2 * by}" height="${height - 2 * by}" rx="${8 - by}"/>`;
}

/** The exits of a state share a line from its box, from which each leads to its neighbour. */
function drawExits(box: Box, exits: readonly PlacedExit[], moment: PathMoment): string[] {
  const [first, last] = [exits[0]?.points[0], exits.at(-1)?.points[0]];
  if (!first || !last) return [];
  const y = box.y + box.height / 2;
  const bus = `M${box.x + box.width} ${y}H${first.x}M${first.x} ${Math.min(first.y, y)}V${Math.max(last.y, y)}`;
  return [`<path class="line exit-line" d="${bus}"/>`, ...exits.map((exit) => drawExit(exit, moment))];
}

function drawExit(
  { text, about, to, name, firstStep, points, textX, chip }: PlacedExit,
  moment: PathMoment,
): string {
  const y = points[0]!.y;
  const taken = firstStep !== null && isTaken(firstStep, moment);
  const label = (line: string) =>
    `<g class="way${taken ? ' taken' : ''}"><text x="${textX}" y="${y + 4}">${escapeXml(line)}</text></g>`;
  if (to === null) {
    const stub = `<path class="line exit-line" d="M${points[0]!.x} ${y}H${textX - 2}"/>`;
    return `<g class="exit">${stub}${label(text)}</g>`;
  }
  const from = textX + textWidth(text) + 4;
  const arrow = [{ x: from, y }, points[1]!];
  return (
    `<g class="exit"${attribute('data-exit', to)}><title>${escapeXml(about)}</title>` +
    `<path class="line exit-line" d="M${points[0]!.x} ${y}H${textX - 2}"/>${label(text)}` +
    `<path class="line exit-line" d="${roundedLine(arrow)}"/><path class="tip" d="${tipAt(arrow)}"/>` +
    `${drawChip(to, name, chip)}</g>`
  );
}

function drawChip(to: string, name: string, chip: Box): string {
  const text = `<text class="chip-name" text-anchor="middle" x="${chip.x + chip.width / 2}" y="${chip.y + 11.5}">${escapeXml(name)}</text>`;
  return `<g${attribute('data-neighbour', to)}>${rect('chip', chip, 0)}${text}</g>`;
}

function drawAnywhere(piece: PlacedAnywhere): string {
  if (piece.kind === 'chip') return drawChip(piece.to, piece.to, piece);
  const { x, y, text } = piece;
  if (piece.kind === 'caption') return `<text class="caption" x="${x}" y="${y + 4}">${text}</text>`;
  const arrow = `<path class="line exit-line" d="${roundedLine(piece.arrow)}"/><path class="tip" d="${tipAt(piece.arrow)}"/>`;
  return `<g class="exit"><g class="way"><text x="${x}" y="${y + 4}">${escapeXml(text)}</text></g>${arrow}</g>`;
}

function drawArrow({ from, to, firstStep, points }: PlacedArrow, moment: PathMoment): string {
  const taken = isTaken(firstStep, moment);
  return (
    `<g class="arrow${taken ? ' taken' : ''}"${attribute('data-arrow', `${from} ${to}`)}>` +
    `<path class="line" d="${roundedLine(points)}"/><path class="tip" d="${tipAt(points)}"/></g>`
  );
}

function drawLabel({ lines, plate, firstStep }: PlacedArrow, moment: PathMoment): string {
  if (lines.length === 0) return '';
  const { x, y, width, height } = plate;
  const texts = lines.map(({ text, firstStep: own }, at) => {
    const baseline = y + PLATE_PAD_Y + LINE_HEIGHT * at + 11;
    return `<g class="way${isTaken(own, moment) ? ' taken' : ''}"><text x="${x + PLATE_PAD_X}" y="${baseline}">${escapeXml(text)}</text></g>`;
  });
  const plateRect = `<rect class="plate" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
  return `<g class="arrow${isTaken(firstStep, moment) ? ' taken' : ''}">${plateRect}${texts.join('')}</g>`;
}
