import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceReply } from '../../server/traces/trace-item.schema.ts';
import type { WriterParts } from './call-lines.ts';
import { code, NOTHING, type Expression } from './expression.ts';
import { SETTLED, type TestTime } from './test-time.ts';

/** Faults that cut a request or hold it up, and whatever strikes while the server works. */
const OF_REQUESTS = /^(api\.\w+ (reset|delay|no-reply)|server\..*)$/;

/** How a fault struck a request: its connection is closed at once or later, its reply is late, or the recording ended before. */
type Struck = 'cut' | 'cutLate' | 'late' | 'never';

/** Returns the faults that struck, as `api.reply reset`. */
export function strikesOf({ items }: Pick<Trace, 'items'>): string[] {
  return items.flatMap((item) => {
    const fault = item.kind === 'output' ? item.entry.fault : undefined;
    return fault ? [`${fault.at} ${fault.what}`] : [];
  });
}

/** Returns the requests that faults cut or held up, by number. */
function struckCalls(trace: Trace, replies: ReadonlyMap<number, TraceReply>): ReadonlyMap<number, Struck> {
  if (!strikesOf(trace).some((strike) => OF_REQUESTS.test(strike))) return new Map();
  return new Map(
    trace.items.flatMap((item) => {
      const how = item.kind === 'call' ? howStruck(item, replies.get(item.seq)) : undefined;
      return how === undefined ? [] : [[item.seq, how] as const];
    }),
  );
}

function howStruck(call: TraceCall, reply: TraceReply | undefined): Struck | undefined {
  if (!reply) return 'never';
  const isLate = reply.atMs > call.atMs;
  if (reply.status === null) return isLate ? 'cutLate' : 'cut';
  return isLate ? 'late' : undefined;
}

interface StruckParts extends Pick<WriterParts, 'names' | 'write'> {
  time: TestTime;
  /** Writes the lines of a request. */
  writeRequest(call: TraceCall, variable: Expression, isAwaited: boolean): void;
  /** Writes what a test expects of a reply. */
  expectReply(reply: TraceReply, variable: Expression): void;
}

/** Writes the lines of requests that faults cut or held up: the test goes on while one waits. */
interface StruckRequests {
  /** Writes the lines of a request that was struck, whose reply is in the variable of that name. Returns false for any other. */
  send(call: TraceCall, variable: Expression): boolean;
  /** Writes the lines for a reply that was held up; none for any other. */
  takeReply(reply: TraceReply): void;
}

export function createStruckRequests(
  trace: Trace,
  replies: ReadonlyMap<number, TraceReply>,
  { names, write, time, writeRequest, expectReply }: StruckParts,
): StruckRequests {
  const struck = struckCalls(trace, replies);
  /** By number of the request: what the test waits for, and the variable of the reply. */
  const held = new Map<number, Record<'awaited' | 'variable', Expression>>();
  return {
    send(call, variable) {
      const how = struck.get(call.seq);
      if (how === undefined) return false;
      const sent = names.take(`${variable}Sent`);
      writeRequest(call, sent, false);
      if (how === 'cut') {
        write(code`await expect(${sent}).rejects.toThrow();`);
        return true;
      }
      // What is cut while the test waits for something else must not be an error of its own.
      const cut = how === 'cutLate' ? names.take(`${variable}Cut`) : undefined;
      if (cut !== undefined) write(code`const ${cut} = expect(${sent}).rejects.toThrow();`);
      if (how === 'never') write(code`${sent}.catch(() => {});`);
      write(SETTLED);
      held.set(call.seq, { awaited: cut ?? sent, variable });
      return true;
    },
    takeReply(reply) {
      const waiting = held.get(reply.call);
      if (!waiting) return;
      write(NOTHING);
      time.reach(reply);
      if (reply.status === null) return write(code`await ${waiting.awaited};`);
      write(code`const ${waiting.variable} = await ${waiting.awaited};`);
      expectReply(reply, waiting.variable);
    },
  };
}
