import { ACTION_MACHINE } from '../../../agent/inspection.ts';
import type { ActionStep } from '../../../agent/lifecycle/action-run.ts';
import type { Clock } from '../../../protocol/clock.ts';
import type { Server } from '../../../server/app.ts';
import { showStep } from '../../../server/dashboard/entry-wording.ts';
import { SERVER_MACHINES } from '../../../server/machines.ts';
import { recordedView } from '../../../server/dashboard/recorder.ts';
import type { Services } from '../../../server/platform/services.ts';
import type { RunningTest } from './recording-format.ts';
import { openRecording, type WorldRecording } from './recording-writer.ts';

/** What a world gives to be told of. */
export interface WorldRecorder {
  /** Listens to a server; to each that the world starts. */
  server(server: Server): void;
  /** A step of a terminal, whoever plays it; now unless it is said when. */
  step(terminalId: string, step: ActionStep, atMs?: number): void;
  /** Steps of a server that is put together of a few parts, and nothing else of it. */
  stepsOf(services: Pick<Services, 'notices' | 'clock'>): void;
}

/** Tells what happens in a world, if anybody wants to know. */
export async function recordWorld(clock: Clock, test?: RunningTest): Promise<WorldRecorder | undefined> {
  const timeline = await openRecording([ACTION_MACHINE, ...SERVER_MACHINES], test);
  return timeline && createWorldRecorder(timeline, clock);
}

// Between two numbers of the recorder more steps of terminals never come.
const STEP_PART = 1 / 10_000;

function createWorldRecorder(timeline: WorldRecording, clock: Clock): WorldRecorder {
  const { machineId } = ACTION_MACHINE;
  // Each server counts from one.
  let before = 0;
  let top = 0;

  return {
    server({ services, dashboard }) {
      before += Math.ceil(top);
      top = 0;
      // A call has the number of its beginning, and what comes of it follows.
      services.notices.listen(({ kind }) => {
        if (kind === 'call.began') top = Math.floor(top) + 1;
      });
      dashboard.recorder.listen((told) => {
        if (!('entry' in told)) return;
        const entry = recordedView(told.entry);
        top = Math.max(top, entry.seq);
        // The server hears only of the steps of those that are online, and later.
        if (entry.step?.machineId !== machineId) timeline.record({ ...entry, seq: before + entry.seq });
      });
    },
    step(terminalId, { actionId, event, from, state, deadlineMs }, atMs = clock.nowMs()) {
      top += STEP_PART;
      timeline.record({
        seq: before + top,
        atMs,
        lane: 'machine',
        kind: 'step',
        terminalId,
        actionId,
        objectId: null,
        ...showStep({ machineId, event, from, state, deadlineMs }),
      });
    },
    stepsOf(services) {
      services.notices.listen((told) => {
        if (told.kind !== 'machine.stepped') return;
        const { objectId, action } = told;
        const [actionId, terminalId] = action ? [objectId, action.terminalId] : [null, null];
        top += STEP_PART;
        const seq = before + top;
        const atMs = services.clock.nowMs();
        const about = { terminalId, actionId, objectId };
        timeline.record({ seq, atMs, lane: 'machine', kind: 'step', ...about, ...showStep(told) });
      });
    },
  };
}
