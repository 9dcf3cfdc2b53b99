import type { Box, ChartStart, ChartState } from './chart.ts';
import { toneOf } from './chart-style.ts';
import { roundedLine, tipAt, attribute, escapeXml } from './svg.ts';
import {
  linesTop,
  NAME_HEIGHT,
  NAME_PX,
  PAD,
  RULE,
  START_SIZE,
  TAG_GAP,
  TAG_HEIGHT,
  tagWidth,
  sansWidth,
} from './sizes.ts';

const ROUND = 9;

/** The mark of a state: active, or visited earlier. */
export type StateStatus = 'active' | 'visited' | null;

/** Returns the box of a state. A final state has a second outline inside; a compound state is translucent. */
export function drawBox(
  state: ChartState,
  { status, region, struck }: { status: StateStatus; region: boolean; struck: boolean },
): string {
  const { x, y, width, height, compound } = state;
  const classes = ['state', compound && 'compound', region && 'region', state.final && 'final', status];
  const round = state.history ? width / 2 : ROUND;
  const rect = (kind: string, by: number) =>
    `<rect class="${kind}" x="${x + by}" y="${y + by}" width="${width - 2 * by}" height="${height - 2 * by}"` +
    ` rx="${round - by}"/>`;
  return [
    `<g class="${classes.filter(Boolean).join(' ')}"${attribute('data-state', state.path)} role="img"`,
    `${attribute('aria-label', labelOf(state, status, struck))}>`,
    status === 'active' && !compound ? rect('halo', -3) : '',
    rect('box', 0),
    state.final ? rect('inner', 3) : '',
    struck ? drawStrike(state) : '',
    '</g>',
  ].join('');
}

/** Returns the mark of a fault that struck, at the upper right corner of a state. */
export function drawStrike({ x, y, width }: Box): string {
  const [left, top] = [x + width - 9, y - 9];
  return (
    `<g class="strike"><circle cx="${left + 9}" cy="${top + 9}" r="9"/>` +
    `<path d="M${left + 10} ${top + 3}l-5 7h4l-1 5l5 -7h-4z"/></g>`
  );
}

/** What is said of a state in which a fault struck. */
export const STRUCK = 'a fault struck here';

function labelOf(
  { path, tag, final, initial, history }: ChartState,
  status: StateStatus,
  struck: boolean,
): string {
  const said = [
    path,
    tag,
    initial && 'initial',
    final && 'final',
    history && `${history} history`,
    status === 'active' ? 'the machine is here' : status,
    struck && STRUCK,
  ];
  return said.filter(Boolean).join(', ');
}

/** Returns name and tag: centred in a box, or at the left of the head of a compound state. */
export function drawHead(state: ChartState, hasLines: boolean): string {
  const { head, name, tag, compound, history } = state;
  const centre = head.x + head.width / 2;
  if (history) return centred(history === 'deep' ? 'H*' : 'H', centre, head.y + head.height / 2 + 5);
  const baseline = head.y + PAD + 13;
  const rule = hasLines ? drawRule(state) : '';
  if (compound) {
    const tagX = head.x + PAD + sansWidth(name, NAME_PX) + PAD;
    const text = `<text x="${head.x + PAD}" y="${baseline}">${escapeXml(name)}</text>`;
    return text + (tag === null ? '' : drawTag(tag, tagX, head.y + PAD)) + rule;
  }
  const below =
    tag === null ? '' : drawTag(tag, centre - tagWidth(tag) / 2, head.y + PAD + NAME_HEIGHT + TAG_GAP);
  return centred(name, centre, baseline) + below + rule;
}

function drawRule({ head, compound, tag }: ChartState): string {
  const y = head.y + linesTop({ compound, tag }) - RULE + 1;
  return `<line class="rule" x1="${head.x + PAD}" x2="${head.x + head.width - PAD}" y1="${y}" y2="${y}"/>`;
}

function centred(text: string, x: number, y: number): string {
  return `<text text-anchor="middle" x="${x}" y="${y}">${escapeXml(text)}</text>`;
}

/** Returns the status of a state as a coloured pill. */
export function drawTag(tag: string, x: number, y: number): string {
  const width = tagWidth(tag);
  return (
    `<g class="tag ${toneOf(tag)}"><rect x="${tenth(x)}" y="${y}" width="${tenth(width)}" height="${TAG_HEIGHT}" rx="8"/>` +
    `${centred(tag, tenth(x + width / 2), y + 11.5)}</g>`
  );
}

function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** Returns an initial marker: a dot and a short arrow. */
export function drawStart({ x, y, points }: ChartStart): string {
  const dot = `<circle class="dot" cx="${x}" cy="${y}" r="${START_SIZE / 2 - 1}"/>`;
  return `<g class="start">${dot}<path class="line" d="${roundedLine(points)}"/><path class="tip" d="${tipAt(points)}"/></g>`;
}
