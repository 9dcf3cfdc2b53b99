import type { Box, Connection, Way } from './pictures.ts';

const WIDTH = 720;
const MARGIN = 16;
const BOX = { two: 220, three: 168 };
const TITLE_ROW = 34;
const NAME_ROW = 26;
const LINE_ROW = 18;
const BOX_END = 12;
const PIN_ROW = 20;
const PIN_WIDTH = 34;

const STYLE = `
.plug { --paper: #ffffff; --ink: #1c2430; --dim: #566173; --line: #8b96a8; --box: #f7f9fc; --edge: #bcc5d3; }
@media (prefers-color-scheme: dark) { .plug {
  --paper: #10151c; --ink: #e7edf5; --dim: #a0acbc; --line: #6d7b90; --box: #1a222d; --edge: #414e61;
} }
.plug { font-family: 'Inter', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
.plug text { fill: var(--ink); font-size: 13px; text-anchor: middle; }
.plug .way { font-size: 14px; font-weight: 600; text-anchor: start; }
.plug .name { font-size: 14px; font-weight: 600; }
.plug .of-cable { fill: var(--dim); font-size: 12px; }
.plug .paper { fill: var(--paper); }
.plug .box { fill: var(--box); stroke: var(--edge); }
.plug .cable { stroke: var(--line); stroke-width: 3; }
.plug .wire { stroke: var(--line); stroke-width: 2; }
`;

/** Draws the ways to plug a device in, one below the other, 720 wide. */
export function drawPlugPicture({ title, ways }: { title: string; ways: readonly Way[] }): string {
  let top = 0;
  const parts = ways.map((way) => {
    const drawn = drawWay(way, top);
    top += TITLE_ROW + heightOf(way) + BOX_END;
    return drawn;
  });
  const height = top + 4;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="plug" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(describePlugPicture(ways))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    ...parts.flat(),
    '</svg>',
    '',
  ].join('\n');
}

/** Says in words what the picture shows. */
export function describePlugPicture(ways: readonly Way[]): string {
  return ways
    .map(({ title, boxes, connections }) => {
      const steps = boxes.map(({ name, lines }, index) => {
        const before = connections[index - 1];
        return `${before ? `by ${wordsOf(before)} to: ` : ''}${name} (${lines.join(', ')})`;
      });
      return `${title}: ${steps.join('; ')}.`;
    })
    .join(' ');
}

function wordsOf(connection: Connection): string {
  if ('pins' in connection)
    return `wires ${connection.pins.map(([left, right]) => `${left} to ${right}`).join(', ')}`;
  return `${connection.name} (${connection.lines.join(' ')})`;
}

function heightOf({ boxes, connections }: Way): number {
  const lines = Math.max(...boxes.map((box) => box.lines.length));
  const pins = Math.max(...connections.map((one) => ('pins' in one ? one.pins.length : 0)));
  return NAME_ROW + lines * LINE_ROW + BOX_END + (pins > 0 ? pins * PIN_ROW + 6 : 0);
}

/** Width of each box, and of the space between two. */
function columnsOf({ boxes }: Way): { box: number; gap: number } {
  const box = boxes.length === 2 ? BOX.two : BOX.three;
  return { box, gap: (WIDTH - 2 * MARGIN - boxes.length * box) / (boxes.length - 1) };
}

function drawWay(way: Way, top: number): string[] {
  const { box: width, gap } = columnsOf(way);
  const y = top + TITLE_ROW;
  const height = heightOf(way);
  const leftOf = (index: number) => MARGIN + index * (width + gap);
  return [
    text(MARGIN, top + 22, 'way', way.title),
    ...way.connections.flatMap((connection, index) => {
      const from = leftOf(index) + width;
      return 'pins' in connection
        ? drawWires(connection.pins, { from, to: from + gap, bottom: y + height })
        : drawCable(connection, { from, to: from + gap, middle: y + height / 2 });
    }),
    ...way.boxes.flatMap((box, index) => drawBox(box, { x: leftOf(index), y, width, height })),
    ...way.connections.flatMap((connection, index) =>
      'pins' in connection
        ? drawPins(connection.pins, {
            from: leftOf(index) + width,
            to: leftOf(index) + width + gap,
            bottom: y + height,
          })
        : [],
    ),
  ];
}

function drawBox(
  { name, lines }: Box,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): string[] {
  const centre = x + width / 2;
  return [
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    text(centre, y + NAME_ROW - 3, 'name', name),
    ...lines.map((line, index) => text(centre, y + NAME_ROW + (index + 1) * LINE_ROW - 2, '', line)),
  ];
}

function drawCable(
  { name, lines }: { name: string; lines: string[] },
  { from, to, middle }: { from: number; to: number; middle: number },
): string[] {
  const centre = (from + to) / 2;
  return [
    `<line class="cable" x1="${from}" y1="${middle}" x2="${to}" y2="${middle}"/>`,
    text(centre, middle - 9, 'of-cable', name),
    ...lines.map((line, index) => text(centre, middle + 18 + index * 16, 'of-cable', line)),
  ];
}

interface WirePlace {
  from: number;
  to: number;
  bottom: number;
}

const heightOfPin = (bottom: number, count: number, index: number) =>
  bottom - BOX_END - (count - 1 - index) * PIN_ROW;

function drawWires(pins: readonly [string, string][], { from, to, bottom }: WirePlace): string[] {
  return pins.map((_, index) => {
    const y = heightOfPin(bottom, pins.length, index);
    return `<line class="wire" x1="${from}" y1="${y}" x2="${to}" y2="${y}"/>`;
  });
}

/** The names of the pins, within the boxes beside their wires. */
function drawPins(pins: readonly [string, string][], { from, to, bottom }: WirePlace): string[] {
  return pins.flatMap(([left, right], index) => {
    const y = heightOfPin(bottom, pins.length, index) + 4;
    return [text(from - PIN_WIDTH / 2 - 4, y, '', left), text(to + PIN_WIDTH / 2 + 4, y, '', right)];
  });
}

function text(x: number, y: number, kind: string, content: string): string {
  return `<text${kind === '' ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Letters are about this wide, as a share of their size. */
const LETTER_WIDTH = 0.58;
const LETTER = { name: 14, line: 13, cable: 12 };

/** Returns the texts of a way that are too long for their place. */
export function overflowing(way: Way): string[] {
  const { box, gap } = columnsOf(way);
  const tooLong = (content: string, size: number, room: number) =>
    content.length * size * LETTER_WIDTH > room - 8;
  return [
    ...way.boxes.flatMap(({ name, lines }) => [
      ...[name].filter((content) => tooLong(content, LETTER.name, box)),
      ...lines.filter((content) => tooLong(content, LETTER.line, box)),
    ]),
    ...way.connections.flatMap((connection) =>
      'pins' in connection
        ? []
        : [connection.name, ...connection.lines].filter((one) => tooLong(one, LETTER.cable, gap)),
    ),
  ];
}
