import { afterAll, expect, test } from 'vitest';
import type { TraceItem, TraceOutput } from '../../../server/traces/trace-item.schema.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { prepareSessions } from './recorded-session.ts';

const sessions = prepareSessions();
afterAll(() => sessions.close());

const isReport = (item: TraceItem): item is TraceOutput =>
  item.kind === 'output' && item.entry.kind === 'mqtt.report';
const isDisplay = ({ entry }: TraceOutput) => entry.message === 'display.shown';

/** Exchanges the first two neighbours among these reports, of one moment, for which `isPair` holds. */
function exchange(
  reports: readonly TraceOutput[],
  isPair: (one: TraceOutput, other: TraceOutput) => boolean = () => true,
): void {
  const at = reports.findIndex((one, index) => {
    const other = reports[index + 1];
    return other?.atMs === one.atMs && isPair(one, other);
  });
  const [one, other] = [reports[at]!, reports[at + 1]!];
  [one.entry, other.entry] = [other.entry, one.entry];
}

test('replay: a display that is reported before another report, and was recorded after it, is identical', async () => {
  const trace = await sessions.record(['tapped card'], 'report order');
  exchange(trace.items.filter(isReport), (one, other) => isDisplay(one) !== isDisplay(other));
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result.outcome).toBe('identical');
});

test.each([
  ['displays', true],
  ['reports with sequence numbers', false],
])('replay: %s in another order than recorded differ', async (_what, areDisplays) => {
  const trace = await sessions.record(['tapped card'], 'report order');
  exchange(trace.items.filter(isReport).filter((report) => isDisplay(report) === areDisplays));
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'diverged' });
});
