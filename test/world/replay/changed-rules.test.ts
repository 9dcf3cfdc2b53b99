import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildChangedProgram, type ChangedProgram } from './changed-program.ts';
import { CHANGED_RULES } from './changed-rules.ts';
import { prepareSessions } from './recorded-session.ts';

const sessions = prepareSessions();
afterAll(() => sessions.close());

let program: ChangedProgram;
beforeAll(async () => void (program = await buildChangedProgram(CHANGED_RULES)));

test.each(CHANGED_RULES)(
  'replay: a version that changes $rule differs there, and the unchanged one nowhere',
  async (changed) => {
    const trace = await sessions.record(changed.parts, 'changed rules');
    const unchanged = await program.load();
    expect(await unchanged.replayTrace(trace)).toMatchObject({ outcome: 'identical' });

    const { replayTrace, describeDivergence } = await program.load(changed);
    const result = await replayTrace(trace);
    expect(result.outcome).toBe('diverged');
    expect('divergence' in result && describeDivergence(trace, result.divergence)).toMatchObject(
      changed.divergence,
    );
  },
);
