import { monotonicMs } from '../../protocol/clock.ts';
import type { Server } from '../../server/app.ts';
import { copySandbox } from '../../server/traces/copy-sandbox.ts';
import { packedTraceFile } from '../../server/traces/trace-file.ts';
import {
  recordFromNow,
  type RecordedServer,
  type ServerEnd,
  type Recording,
} from '../../server/traces/recording.ts';
import type { KeptTrace } from './run-log-writer.ts';

// A test seldom needs more, and each world of a run holds its own until its tests are over.
const LIMITS = { items: 20_000, characters: Infinity };

/** Records a world for the trace of a test that fails. */
interface WorldTrace extends KeptTrace {
  /** @param reason why the trace cannot be replayed then, in words */
  end: Recording['end'];
  /** Goes on with the server that was started after this one ended. */
  continueWith(server: Server, ended: ServerEnd): void;
}

/**
 * Starts to record the server of a world. The snapshot with which the trace begins is made only when a trace is: copying each
 * world would take as long as starting it.
 * @param startTwin starts a world with the same options, whose server is as this one is now
 */
export function traceWorld(
  server: Server,
  startTwin: () => Promise<{ server: Server; close(): Promise<void> }>,
): WorldTrace {
  const parts = { ...recorded(server), title: '', limits: LIMITS };
  let beganMs: number | undefined;
  const realMs = () => {
    const nowMs = monotonicMs();
    // The first time that it reads is the zero of its scale.
    beganMs ??= nowMs;
    return nowMs;
  };
  const recording = recordFromNow({ ...parts, realMs, isLazy: true });
  let begun: Promise<void> | undefined;

  async function begin(): Promise<void> {
    const twin = await startTwin();
    try {
      await copySandbox(twin.server.services, {
        atCopy: recording.knowsTerminals,
        take: recording.beginsWith,
      });
    } finally {
      await twin.close();
    }
  }

  return {
    beganMs: beganMs ?? realMs(),
    end: recording.end,
    continueWith: (next, ended) => recording.continueWith(recorded(next), ended),
    async make(title) {
      await (begun ??= begin());
      const trace = await recording.trace();
      return packedTraceFile({ ...trace, header: { ...trace.header, title } });
    },
  };
}

function recorded(server: Server): RecordedServer {
  const { services, dashboard } = server;
  return { services, dashboard, idle: () => server.idle() };
}
