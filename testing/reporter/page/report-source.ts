import { signal, type Signal } from '@preact/signals';
import { readBlock } from '../../../server/dashboard/page/trace/read-block.ts';
import type { ReportData, WorldTimeline } from '../report-data.ts';
import type { Source } from './source.ts';

/** Opens the source of a report. The timelines of a test file are decompressed when one of its tests is shown. */
export async function openReport(): Promise<Source> {
  const data = await readBlock<ReportData>('report-data');
  const { outcome, durationMs, leftOut, machines, files } = data;
  const packets = new Map<number, Promise<WorldTimeline[]>>();
  const packet = (index: number) => {
    const known = packets.get(index) ?? readBlock<WorldTimeline[]>(`packet-${index}`);
    packets.set(index, known);
    return known;
  };
  const timelines = new Map<string, Signal<readonly WorldTimeline[] | undefined>>();
  return {
    live: false,
    run: signal({ outcome, durationMs, leftOut, report: null }),
    machines: signal(machines),
    files: signal(files),
    newest: signal(null),
    timelinesOf(file, testId) {
      const known = timelines.get(testId);
      if (known) return known;
      const found = signal<readonly WorldTimeline[] | undefined>(file.packet === null ? [] : undefined);
      timelines.set(testId, found);
      if (file.packet !== null) {
        void packet(file.packet).then(
          (all) => (found.value = all.filter((timeline) => timeline.testId === testId)),
        );
      }
      return found;
    },
  };
}
