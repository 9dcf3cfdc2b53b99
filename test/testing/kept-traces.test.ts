import { expect, test } from 'vitest';
import { withTraces } from '../../testing/reporter/kept-traces.ts';
import type { RecordedTimeline } from '../../testing/reporter/run-record.ts';

test('kept traces: a trace that cannot be read leaves what the run recorded, and says why', async () => {
  const recorded: RecordedTimeline = {
    testId: 'one',
    attempt: 0,
    entries: [],
    dropped: 3,
    trace: 'gone.tapbench',
    calls: [],
  };
  const [shown] = await withTraces([recorded], '/nowhere', { path: '/nowhere/a.test.ts', name: 'a.test.ts' });
  expect(shown).toMatchObject({ testId: 'one', entries: [], dropped: 3, trace: 'gone.tapbench' });
  expect(shown!.traceProblem).toMatch(/^The trace cannot be read: ENOENT/);
});
