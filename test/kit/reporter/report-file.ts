import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LeftOut, ReportData, WorldTimeline } from './report-data.ts';
import { packTimelines } from './run-record.ts';

/** The report's page as it was built: script and style, without anything that it would have to fetch. */
export interface PageParts {
  script: string;
  style: string;
}

/** Stories of a file of tests, packed. */
export interface Packet {
  /** Where the file is in the report. */
  file: number;
  packed: Buffer;
  hasFailures: boolean;
}

const BASE64 = 4 / 3;
// The page around what is packed, and a tag for each packet.
const FRAME_BYTES = 1_500;
const TAG_BYTES = 60;

/**
 * One HTML file that holds everything. Stories that do not fit into the limit are shortened: first those of files
 * without failures lose what opens below their entries, then everything but their tests; the largest first.
 */
export function renderReport(
  page: PageParts,
  data: ReportData,
  packets: readonly Packet[],
  title: string,
): { html: string; leftOut: LeftOut } {
  const kept = fitted(data, packets, page.script.length + page.style.length);
  const files = data.files.map((file, index) => {
    const at = kept.packets.findIndex((packet) => packet.file === index);
    return { ...file, packet: at === -1 ? null : at };
  });
  const whole = { ...data, files, leftOut: kept.leftOut };
  const blocks = [
    block('report-data', gzipSync(JSON.stringify(whole), { level: 9 })),
    ...kept.packets.map(({ packed }, index) => block(`packet-${index}`, packed)),
  ];
  return { html: htmlOf(page, title, '', blocks), leftOut: kept.leftOut };
}

/** The page of a run under way: the same, with nothing in it yet. */
export function renderStage(page: PageParts, title: string): string {
  return htmlOf(page, title, ' data-stage', []);
}

function fitted(data: ReportData, packets: readonly Packet[], pageBytes: number) {
  const { limitBytes } = data.leftOut;
  const dataBytes = gzipSync(JSON.stringify(data), { level: 1 }).length;
  const bytesOf = ({ packed }: Packet) => packed.length * BASE64 + TAG_BYTES;
  let room = limitBytes - pageBytes - FRAME_BYTES - dataBytes * BASE64;
  for (const packet of packets) room -= bytesOf(packet);
  const kept = new Map(packets.map((packet) => [packet.file, packet]));
  const leftOut: LeftOut = { limitBytes, withoutDetails: 0, withoutTimeline: 0 };
  const byNeed = [...packets].sort(
    (a, b) => Number(a.hasFailures) - Number(b.hasFailures) || b.packed.length - a.packed.length,
  );
  for (const packet of byNeed) {
    if (room >= 0) break;
    const packed = withoutDetails(packet.packed);
    room += (packet.packed.length - packed.length) * BASE64;
    kept.set(packet.file, { ...packet, packed });
    leftOut.withoutDetails += 1;
  }
  for (const { file } of byNeed) {
    if (room >= 0) break;
    room += bytesOf(kept.get(file)!);
    kept.delete(file);
    leftOut.withoutDetails -= 1;
    leftOut.withoutTimeline += 1;
  }
  return { packets: [...kept.values()], leftOut };
}

function withoutDetails(packed: Buffer): Buffer {
  const timelines = JSON.parse(gunzipSync(packed).toString()) as WorldTimeline[];
  return packTimelines(
    timelines.map((timeline) => ({
      ...timeline,
      entries: timeline.entries.map((entry) => ({ ...entry, detail: null })),
    })),
  );
}

function block(id: string, packed: Buffer): string {
  return `<script type="application/gzip" id="${id}">${packed.toString('base64')}</script>`;
}

/** Nothing is fetched: the policy forbids what the page does not do anyway. */
function htmlOf({ script, style }: PageParts, title: string, marks: string, blocks: string[]): string {
  // In a script only its end tag ends it, in a string of its own as well.
  const code = script.replaceAll('</script', '<\\/script');
  const sha = createHash('sha256').update(code).digest('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'sha256-${sha}'`,
    `style-src 'unsafe-inline'`,
    `img-src data:`,
    `connect-src ${marks ? `'self'` : `'none'`}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en"${marks}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<style>${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="page"></div>
${blocks.join('\n')}
<script>${code}</script>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
