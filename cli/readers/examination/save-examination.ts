import { writeFileSync } from 'node:fs';
import { release } from 'node:os';
import type { CheckResult, DriverEntry } from '../../../agent/readers/driver.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { VERSION } from '../../../protocol/version.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { savedExamination, type RecordedEvent, type SavedStep } from './saved-examination.ts';

/** An examination that is recorded. */
export interface ExaminationRecord {
  readonly events: RecordedEvent[];
  readonly steps: SavedStep[];
  readonly seed: string;
  addStep(step: CheckResult): void;
  /** Writes what was recorded. @throws Fault `bad_setting` when the file cannot be written. */
  write(file: string): void;
}

/** Starts to record the examination of a device, for a file that can be sent in. */
export function startRecord(
  { clock, random }: CommandContext,
  row: DriverEntry,
  port: string,
): ExaminationRecord {
  const startedMs = clock.nowMs();
  const seed = Buffer.from(random.bytes(8)).toString('hex');
  const events: RecordedEvent[] = [];
  const steps: SavedStep[] = [];
  let stepMs = startedMs;
  return {
    events,
    steps,
    seed,
    addStep(step) {
      const nowMs = clock.nowMs();
      steps.push({ ...step, tookMs: nowMs - stepMs });
      stepMs = nowMs;
    },
    write(file) {
      const { platform, arch, version: node } = process;
      const system = { tapbench: VERSION, node, platform, arch, release: release() };
      const device = { driver: row.name, port, startedAt: new Date(startedMs).toISOString() };
      // What a driver with secrets sends shows which of them it has.
      const saved = savedExamination(
        { ...system, ...device, seed, steps },
        row.readsSettings ? undefined : events,
      );
      try {
        writeFileSync(file, `${JSON.stringify(saved, null, 1)}\n`);
      } catch (error) {
        throw new Fault('bad_setting', `--save: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}
