import { ACTION_MACHINE } from '../../agent/inspection.ts';
import type { ActionStep } from '../../agent/lifecycle/action-transition.ts';
import { monotonicMs, type Clock } from '../../protocol/clock.ts';
import type { Server } from '../../server/app.ts';
import { describeStep } from '../../server/dashboard/entry-content.ts';
import { SERVER_MACHINES } from '../../server/machines.ts';
import { toTimelineEntry } from '../../server/dashboard/timeline-log.ts';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import type { Services } from '../../server/platform/services.ts';
import type { RunningTest } from './run-log-format.ts';
import { openWorldLogWriter, type WorldLogWriter } from './run-log-writer.ts';

/** Logs what happens in a world. */
export interface WorldLog {
  /** Logs what happens in a server. To be called for each server that the world starts. */
  server(server: Server): void;
  /** Logs a step of a terminal; `atMs` is the current time by default. */
  step(terminalId: string, step: ActionStep, atMs?: number): void;
  /** Keeps a trace of the world, if the run wants traces. */
  keepTrace: WorldLogWriter['keepTrace'];
  /** Adds a call of the test to the world, which is made now. */
  addCall: WorldLogWriter['addCall'];
  /** Logs only the machine steps of a server, for servers made of a few parts. */
  stepsOf(services: Pick<Services, 'activities' | 'clock'>): void;
}

/** Opens the log of a world; undefined when the run writes no log. */
export async function openWorldLog(clock: Clock, test?: RunningTest): Promise<WorldLog | undefined> {
  const timeline = await openWorldLogWriter([ACTION_MACHINE, ...SERVER_MACHINES], test);
  return timeline && createWorldLog(timeline, clock);
}

// Small enough for all terminal steps between two numbers of the timelines of the server.
const STEP_PART = 1 / 10_000;

function createWorldLog(timeline: WorldLogWriter, clock: Clock): WorldLog {
  const { machineId } = ACTION_MACHINE;
  // Offset of the current server, since each server counts from one.
  let before = 0;
  let top = 0;

  const beganMs = monotonicMs();
  const record = (entry: TimelineEntry) =>
    timeline.record({ ...entry, realMs: Math.round((monotonicMs() - beganMs) * 1_000) / 1_000 });

  return {
    keepTrace: timeline.keepTrace,
    addCall: timeline.addCall,
    server({ services, dashboard }) {
      before += Math.ceil(top);
      top = 0;
      // A call is numbered at its start, before its effects.
      services.activities.listen('numbers of calls', ({ kind }) => {
        if (kind === 'call.began') top = Math.floor(top) + 1;
      });
      dashboard.timelineLog.listen('timelines of a test', (recorded) => {
        if (!('entry' in recorded)) return;
        const entry = toTimelineEntry(recorded.entry);
        top = Math.max(top, entry.seq);
        // Terminal steps are logged directly, because the server gets them later and only from online terminals.
        if (entry.step?.machineId !== machineId) record({ ...entry, seq: before + entry.seq });
      });
    },
    step(terminalId, { actionId, event, from, state, deadlineMs }, atMs = clock.nowMs()) {
      top += STEP_PART;
      record({
        seq: before + top,
        atMs,
        lane: 'machine',
        kind: 'step',
        terminalId,
        actionId,
        objectId: null,
        ...describeStep({ machineId, event, from, state, deadlineMs }),
      });
    },
    stepsOf(services) {
      services.activities.listen('steps of a test', (activity) => {
        if (activity.kind !== 'machine.stepped') return;
        const { objectId, action } = activity;
        const [actionId, terminalId] = action ? [objectId, action.terminalId] : [null, null];
        top += STEP_PART;
        const seq = before + top;
        const atMs = services.clock.nowMs();
        const about = { terminalId, actionId, objectId };
        record({ seq, atMs, lane: 'machine', kind: 'step', ...about, ...describeStep(activity) });
      });
    },
  };
}
