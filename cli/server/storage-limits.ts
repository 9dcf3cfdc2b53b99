import type { ServerSettings } from '../../server/platform/settings.ts';
import type { SnapshotLimits } from '../../server/sandboxes/snapshots/snapshot-service.ts';
import type { ServerOptions } from './server-options.ts';

const MEGABYTE = 1_000_000;

/** Returns how much each sandbox stores of its requests and timelines. */
export function logLimits(options: ServerOptions): Pick<ServerSettings, 'requestLog' | 'timelines'> {
  const { requestLogMax, requestLogMbMax, requestLogDays, timelinesMax, timelinesMbMax } = options;
  return {
    requestLog: {
      countMax: requestLogMax,
      bytesMax: requestLogMbMax * MEGABYTE,
      days: requestLogDays,
    },
    timelines: { countMax: timelinesMax, bytesMax: timelinesMbMax * MEGABYTE },
  };
}

/** Returns how many snapshots the server keeps, and how large they may be. */
export function snapshotLimits({ snapshotsMax, snapshotMbMax }: ServerOptions): SnapshotLimits {
  return { countMax: snapshotsMax, bytesMax: snapshotMbMax * MEGABYTE };
}
