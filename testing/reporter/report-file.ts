import { gunzipSync, gzipSync } from 'node:zlib';
import {
  dataBlock,
  packJson,
  renderOfflinePage,
  type PageParts,
} from '../../server/dashboard/offline-page.ts';
import type { LeftOut, ReportData, WorldTimeline } from './report-data.ts';
import { packTimelines } from './run-record.ts';

/** The compressed timelines of a test file. */
export interface Packet {
  /** Index of the test file in the report. */
  file: number;
  packed: Buffer;
  hasFailures: boolean;
}

const BASE64 = 4 / 3;
// Size of the HTML around the packets, and of the tag of each packet.
const FRAME_BYTES = 1_500;
const TAG_BYTES = 60;

/**
 * Renders a report as one HTML file. When it is over the size limit, the largest test files lose the details of their
 * entries first, then their timelines. Files with failures come last.
 */
export function renderReport(
  page: PageParts,
  data: ReportData,
  packets: readonly Packet[],
  title: string,
): { html: string; leftOut: LeftOut } {
  const kept = fitToLimit(data, packets, page.script.length + page.style.length);
  const files = data.files.map((file, index) => {
    const at = kept.packets.findIndex((packet) => packet.file === index);
    return { ...file, packet: at === -1 ? null : at };
  });
  const whole = { ...data, files, leftOut: kept.leftOut };
  const blocks = [
    dataBlock('report-data', packJson(whole)),
    ...kept.packets.map(({ packed }, index) => dataBlock(`packet-${index}`, packed)),
  ];
  return { html: renderOfflinePage(page, { title, blocks }), leftOut: kept.leftOut };
}

/** Renders the live page: the same page, without data. */
export function renderLivePage(page: PageParts, title: string): string {
  return renderOfflinePage(page, { title, blocks: [], isLive: true });
}

function fitToLimit(data: ReportData, packets: readonly Packet[], pageBytes: number) {
  const { limitBytes } = data.leftOut;
  const dataBytes = gzipSync(JSON.stringify(data), { level: 1 }).length;
  const bytesOf = ({ packed }: Packet) => packed.length * BASE64 + TAG_BYTES;
  let room = limitBytes - pageBytes - FRAME_BYTES - dataBytes * BASE64;
  for (const packet of packets) room -= bytesOf(packet);
  const kept = new Map(packets.map((packet) => [packet.file, packet]));
  const leftOut: LeftOut = { limitBytes, withoutDetails: 0, withoutTimeline: 0 };
  const byPriority = [...packets].sort(
    (a, b) => Number(a.hasFailures) - Number(b.hasFailures) || b.packed.length - a.packed.length,
  );
  for (const packet of byPriority) {
    if (room >= 0) break;
    const packed = withoutDetails(packet.packed);
    room += (packet.packed.length - packed.length) * BASE64;
    kept.set(packet.file, { ...packet, packed });
    leftOut.withoutDetails += 1;
  }
  for (const { file } of byPriority) {
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
