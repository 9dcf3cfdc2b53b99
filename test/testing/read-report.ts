import { gunzipSync } from 'node:zlib';
import type { ReportData, ReportTest, WorldTimeline } from '../../testing/reporter/report-data.ts';

/** A report as its page reads it. */
interface ReadReport {
  data: ReportData;
  /** Of all files. */
  tests: ReportTest[];
  /** What happened in the worlds of a test, by the end of its name. */
  timelinesOf(name: string): WorldTimeline[];
}

export function readReport(html: string): ReadReport {
  const unpack = <T>(id: string) => {
    const [, packed] = new RegExp(`id="${id}">([^<]*)<`).exec(html) ?? [];
    return JSON.parse(gunzipSync(Buffer.from(packed!, 'base64')).toString()) as T;
  };
  const data = unpack<ReportData>('report-data');
  return {
    data,
    tests: data.files.flatMap(({ tests }) => tests),
    timelinesOf(name) {
      const file = data.files.find(({ tests }) => tests.some((test) => test.name.endsWith(name)))!;
      const { id } = file.tests.find((test) => test.name.endsWith(name))!;
      if (file.packet === null) return [];
      return unpack<WorldTimeline[]>(`packet-${file.packet}`).filter(({ testId }) => testId === id);
    },
  };
}
