import {
  type ChartLayout,
  type ChartMarks,
  type ChartState,
  type ChartTransition,
  transitionKey,
} from './chart.ts';
import { STANDALONE_STYLE } from './chart-style.ts';
import { drawHop } from './draw-hop.ts';
import { drawBox, drawHead, drawStart, type StateStatus } from './draw-state.ts';
import { MARGIN, TITLE_LINES_TOP, TITLE_PX, LABEL_PAD_X, LABEL_PAD_Y, LINE_HEIGHT } from './sizes.ts';
import { isInside } from './state-tree.ts';
import { attribute, escapeXml, roundedLine, tipAt } from './svg.ts';

interface DrawOptions {
  marks?: ChartMarks;
  /**
   * `standalone` includes its style and follows the light or dark theme of the viewer; `page` relies on the page for
   * `CHART_STYLE` and its colours.
   */
  theme?: 'page' | 'standalone';
}

const NO_MARKS: ChartMarks = { active: null, visited: new Set(), taken: new Set() };

/**
 * Returns the drawing of a machine as SVG text. The same layout and marks give the same text. States carry
 * `data-state`, labels `data-transition`; marked elements have the classes `active`, `visited`, `taken`.
 */
export function drawChart(
  layout: ChartLayout,
  { marks = NO_MARKS, theme = 'standalone' }: DrawOptions = {},
): string {
  const { width, height, machineId, states, transitions, starts } = layout;
  const arrows = arrowsOf(transitions);
  const inner = transitions.filter(({ kind }) => kind !== 'arrow');
  const hasLines = (path: string) => inner.some(({ from }) => from === path);
  const nests = states.filter(({ compound }) => compound);
  const leaves = states.filter(({ compound }) => !compound);
  const box = (state: ChartState) =>
    drawBox(state, {
      status: statusOf(state, marks),
      region: isRegion(state, states),
      struck: marks.struck?.has(state.path) ?? false,
    });
  const name = `State chart of ${machineId}`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart ${theme}" viewBox="0 0 ${width} ${height}" width="${width}"` +
      ` height="${height}" role="${theme === 'page' ? 'group' : 'img'}"${attribute('aria-label', name)}>`,
    // No `title` in a page: it would appear as a tooltip over the whole chart.
    theme === 'page' ? '' : `<title>${escapeXml(name)}</title>`,
    `<desc>${escapeXml(describe(layout, marks))}</desc>`,
    theme === 'page' ? '' : `<style>${STANDALONE_STYLE}</style>`,
    theme === 'page' ? '' : `<rect width="${width}" height="${height}" rx="12" fill="var(--chart-paper)"/>`,
    drawTitle(machineId, hasLines('')),
    ...nests.map(box),
    ...starts.map(drawStart),
    ...arrows.map((arrow) => drawLine(arrow, marks)),
    ...leaves.map(box),
    ...arrows.map((arrow) => drawLabels(arrow, marks)),
    ...states.map((state) => drawHead(state, hasLines(state.path))),
    ...inner.map((transition) => drawTransition(transition, marks)),
    ...(marks.hops ?? []).map((hop) => drawHop(hop, layout)),
    '</svg>\n',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function drawTitle(machineId: string, hasLines: boolean): string {
  const caption = `<text class="caption" x="${MARGIN}" y="${MARGIN + TITLE_LINES_TOP - 8}">in any state</text>`;
  const title = `<text class="title" x="${MARGIN}" y="${MARGIN + TITLE_PX - 2}">${escapeXml(machineId)}</text>`;
  return hasLines ? title + caption : title;
}

/** Groups the transitions between the same two states, which share one arrow. */
function arrowsOf(transitions: ChartTransition[]): ChartTransition[][] {
  const arrows = new Map<string, ChartTransition[]>();
  for (const transition of transitions.filter(({ kind }) => kind === 'arrow')) {
    const key = JSON.stringify([transition.from, transition.to]);
    arrows.set(key, [...(arrows.get(key) ?? []), transition]);
  }
  return [...arrows.values()];
}

function statusOf({ path }: ChartState, { active, visited }: ChartMarks): StateStatus {
  if (active !== null && (active === path || isInside(active, path))) return 'active';
  return visited.has(path) ? 'visited' : null;
}

function isRegion({ path }: ChartState, states: ChartState[]): boolean {
  const parent = path.split('.').slice(0, -1).join('.');
  return states.some((state) => state.parallel && state.path === parent);
}

/** Returns a description in words, for screen readers. */
function describe({ states, transitions, starts }: ChartLayout, { active }: ChartMarks): string {
  const first = starts.find(({ to }) => !to.includes('.'));
  const ends = states.filter(({ final }) => final).map(({ path }) => path);
  return [
    `${states.length} states and ${transitions.length} transitions.`,
    first && `It begins in ${first.to}.`,
    ends.length > 0 && `It ends in ${ends.join(', ')}.`,
    active !== null && `Current state: ${active}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Pixels by which the second line of a label is indented. */
const INDENT = 12;

/** Returns one arrow, shared by all events along it. */
function drawLine(arrow: ChartTransition[], { taken }: ChartMarks): string {
  const { points } = arrow[0]!;
  const marked = arrow.some((transition) => taken.has(transitionKey(transition)));
  return (
    `<g class="${marked ? 'arrow taken' : 'arrow'}"><path class="line" d="${roundedLine(points)}"/>` +
    `<path class="tip" d="${tipAt(points)}"/></g>`
  );
}

/** Returns the labels of an arrow, on a background that covers the line. */
function drawLabels(arrow: ChartTransition[], marks: ChartMarks): string {
  const [{ label: first }, { label: last }] = [arrow[0]!, arrow.at(-1)!];
  const marked = arrow.some((transition) => marks.taken.has(transitionKey(transition)));
  const plate =
    `<rect class="plate" x="${first.x - LABEL_PAD_X}" y="${first.y - LABEL_PAD_Y}"` +
    ` width="${first.width + 2 * LABEL_PAD_X}" height="${last.y + last.height - first.y + 2 * LABEL_PAD_Y}" rx="6"/>`;
  return `<g class="${marked ? 'arrow taken' : 'arrow'}">${plate}${arrow.map((transition) => drawTransition(transition, marks)).join('')}</g>`;
}

/** Returns the lines of one transition. */
function drawTransition(transition: ChartTransition, { taken }: ChartMarks): string {
  const key = transitionKey(transition);
  const { x, y, lines } = transition.label;
  const texts = lines.map((line, at) => {
    const text = line.trimStart();
    const indent = text === line ? 0 : INDENT;
    return `<text x="${x + indent}" y="${y + LINE_HEIGHT * at + 11}">${withGuard(text)}</text>`;
  });
  const classes = ['way', transition.kind === 'arrow' ? '' : transition.kind, taken.has(key) ? 'taken' : ''];
  return `<g class="${classes.filter(Boolean).join(' ')}"${attribute('data-transition', key)}>${texts.join('')}</g>`;
}

/** Puts the guard of a line into an element of its own, drawn paler than the event. */
function withGuard(line: string): string {
  return line
    .split(/(\[.*\])/)
    .map((part) =>
      part.startsWith('[') ? `<tspan class="guard">${escapeXml(part)}</tspan>` : escapeXml(part),
    )
    .join('');
}
