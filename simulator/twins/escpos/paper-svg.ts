import { deflateSync } from 'node:zlib';
import { crc32Of } from '../../../agent/readers/crc.ts';
import {
  LETTER_DOTS,
  letterStep,
  strideOf,
  type Bitmap,
  type PaperElement,
  type Receipt,
  type TextRun,
} from './paper.ts';

/** White paper around what can be printed, in dots. */
const MARGIN = 32;

/** Codes are drawn, so that they are sharp at any size: the largest has 177 modules in each direction. Others are PNGs. */
const PATH_DOTS_MAX = 177 * 177;

/** Renders paper as a picture: an SVG with a unit for each dot, white in a dark page too. */
export function paperSvg({
  elements,
  width,
  height,
}: Pick<Receipt, 'elements' | 'width' | 'height'>): string {
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}">`,
    `<rect width="${wide}" height="${high}" fill="#fff"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" fill="#000">`,
    ...elements.flatMap((element) => shapesOf(element)),
    '</g></svg>\n',
  ].join('\n');
}

function shapesOf(element: PaperElement): string[] {
  if (element.kind === 'text')
    return element.runs.map((run) => textShape(run, element.y + tallestOf(element.runs)));
  const { x, y, width, height, bitmap } = element;
  const title = `<title>${escaped(element.label)}</title>`;
  if (bitmap.width * bitmap.height <= PATH_DOTS_MAX) {
    const scale = `scale(${width / bitmap.width} ${height / bitmap.height})`;
    return [
      `<path shape-rendering="crispEdges" transform="translate(${x} ${y}) ${scale}" d="${pathOf(bitmap)}">${title}</path>`,
    ];
  }
  const data = pngOf(bitmap).toString('base64');
  const place = `x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none"`;
  return [`<image ${place} href="data:image/png;base64,${data}">${title}</image>`];
}

/** The black dots of each row, as bars. */
function pathOf({ width, height, bits }: Bitmap): string {
  const stride = strideOf(width);
  const isBlack = (x: number, y: number) =>
    x < width && (bits[y * stride + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
  let path = '';
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isBlack(x, y)) continue;
      const from = x;
      while (isBlack(x, y)) x += 1;
      path += `M${from} ${y}h${x - from}v1h${from - x}z`;
    }
  return path;
}

function tallestOf(runs: readonly TextRun[]): number {
  return Math.max(...runs.map(({ font, height }) => LETTER_DOTS[font].height * height));
}

/** Letters whose lower edge is at a line. */
function textShape(run: TextRun, bottom: number): string {
  const { height: dots } = LETTER_DOTS[run.font];
  const high = dots * run.height;
  const long = run.text.length * letterStep(run);
  const long1 = long / run.width;
  // The base line is a fifth above the lower edge.
  const baseLine = Math.round(dots * 0.8);
  const size = run.font === 'A' ? 20 : 15;
  const place = `translate(${run.x} ${bottom - high})${run.upsideDown ? ` rotate(180 ${long / 2} ${high / 2})` : ''} scale(${run.width} ${run.height})`;
  const ink = run.inverse ? ' fill="#fff"' : '';
  const weight = run.bold ? ' font-weight="bold"' : '';
  return [
    `<g transform="${place}">`,
    run.inverse ? `<rect width="${long1}" height="${dots}"/>` : '',
    `<text y="${baseLine}" font-size="${size}"${ink}${weight} textLength="${long1}" xml:space="preserve">${escaped(run.text)}</text>`,
    run.underline > 0 && !run.inverse
      ? `<rect y="${dots - run.underline}" width="${long1}" height="${run.underline}"/>`
      : '',
    '</g>',
  ].join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no control letters. */
function escaped(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- what a code says may have any letter
      .replaceAll(/[\u0000-\u001f\u007f]/g, '\ufffd')
      .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign]!)
  );
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Encodes a picture as PNG, with one bit for each dot. */
function pngOf({ width, height, bits }: Bitmap): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // one bit, of grey, without filters or interlacing
  const stride = strideOf(width);
  const rows = Buffer.alloc((stride + 1) * height);
  // A byte of 0 before each row says that it has no filter; in PNG 1 is white.
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < stride; x += 1) rows[y * (stride + 1) + 1 + x] = ~bits[y * stride + x]! & 0xff;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32Of(body), body.length + 4);
  return whole;
}
