import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceOutput, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { advancedMs } from '../replay/clock-advances.ts';
import { code, literal, NOTHING, type Expression } from './expression.ts';

const UNITS = [
  { unit: code`minutes`, sizeMs: 60_000 },
  { unit: code`seconds`, sizeMs: 1000 },
];
const MS = { unit: code`ms`, sizeMs: 1 };

/** Waits until nothing is under way. */
export const SETTLED = code`await world.settled();`;

export type TestTime = ReturnType<typeof createTestTime>;

/** Writes the lines of a test that let time pass, and that wait. */
export function createTestTime({ header, summary, items }: Trace, write: (line: Expression) => void) {
  let nowMs = header.clockMs;
  let isIdle = true;
  let lastOutputMs = header.clockMs;
  /** The state of each terminal's machine, until a line waits for it. */
  const states = new Map<string, string>();

  function advanceTo(atMs: number): boolean {
    const passedMs = atMs - nowMs;
    if (passedMs <= 0) return false;
    const { unit, sizeMs } = UNITS.find((each) => passedMs % each.sizeMs === 0) ?? MS;
    write(code`await world.advance({ ${unit}: ${literal(passedMs / sizeMs)} });`);
    nowMs = atMs;
    isIdle = true;
    return true;
  }

  return {
    /** Takes note of a step of a terminal's machine. */
    note({ entry, atMs }: TraceOutput): void {
      lastOutputMs = atMs;
      const { step, terminalId } = entry;
      if (step?.machineId !== 'action' || terminalId === null) return;
      // A terminal is in no state once its action has ended, where no deadline is left.
      if (step.deadlineMs === null) states.delete(terminalId);
      else states.set(terminalId, step.state);
    },
    /**
     * Lets time pass until an input, and waits for what the recording has before it.
     * @param till that of the terminal at which it comes
     */
    reach(input: { atMs: number; settled?: true; terminalId?: string }, till?: Expression): void {
      const state = till === undefined ? undefined : states.get(input.terminalId!);
      const hasAdvanced = advanceTo(input.atMs);
      states.delete(input.terminalId ?? '');
      const lastState = state?.split('.').at(-1);
      if (till && lastState !== undefined && !isIdle)
        write(code`await ${till}.reaches(${literal(lastState)});`);
      else if (input.settled && !isIdle && !hasAdvanced) write(SETTLED);
      isIdle = false;
    },
    /** Writes the line for a request that advances the clock. Returns false for any other. */
    advancesClock(call: TraceCall, reply: TraceReply | undefined): boolean {
      const byMs = advancedMs(call, reply);
      return byMs !== undefined && advanceTo(call.atMs + byMs);
    },
    /** Lets time pass until the last thing that happened, and waits until all is done. */
    reachEnd(): void {
      if (items.length === 0) return;
      write(NOTHING);
      if (!advanceTo(Math.min(lastOutputMs, summary.endMs))) write(SETTLED);
    },
  };
}
