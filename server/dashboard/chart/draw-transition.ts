import { transitionKey, type ChartMarks, type ChartTransition } from './chart.ts';
import { roundedLine, tipAt } from './draw-line.ts';
import { LABEL_PAD_X, LABEL_PAD_Y, LINE_HEIGHT } from './sizes.ts';
import { attribute, escapeXml } from './xml.ts';

/** Pixels by which the second line of a label is indented. */
const INDENT = 12;

/** Returns one arrow, shared by all events along it. */
export function drawLine(arrow: ChartTransition[], { taken }: ChartMarks): string {
  const { points } = arrow[0]!;
  const marked = arrow.some((transition) => taken.has(transitionKey(transition)));
  return (
    `<g class="${marked ? 'arrow taken' : 'arrow'}"><path class="line" d="${roundedLine(points)}"/>` +
    `<path class="tip" d="${tipAt(points)}"/></g>`
  );
}

/** Returns the labels of an arrow, on a background that covers the line. */
export function drawLabels(arrow: ChartTransition[], marks: ChartMarks): string {
  const [{ label: first }, { label: last }] = [arrow[0]!, arrow.at(-1)!];
  const marked = arrow.some((transition) => marks.taken.has(transitionKey(transition)));
  const plate =
    `<rect class="plate" x="${first.x - LABEL_PAD_X}" y="${first.y - LABEL_PAD_Y}"` +
    ` width="${first.width + 2 * LABEL_PAD_X}" height="${last.y + last.height - first.y + 2 * LABEL_PAD_Y}" rx="6"/>`;
  return `<g class="${marked ? 'arrow taken' : 'arrow'}">${plate}${arrow.map((transition) => drawTransition(transition, marks)).join('')}</g>`;
}

/** Returns the lines of one transition. */
export function drawTransition(transition: ChartTransition, { taken }: ChartMarks): string {
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
