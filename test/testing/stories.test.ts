import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import { createRunRecord, createRunLogReader } from '../../testing/reporter/run-record.ts';
import type { RunLogLine } from '../../testing/run-log/run-log-format.ts';

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'tapbench-stories-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const entry = (seq: number, step?: TimelineEntry['step']): TimelineEntry => ({
  seq,
  atMs: 0,
  lane: 'machine',
  kind: 'step',
  terminalId: null,
  actionId: null,
  objectId: null,
  title: 'é',
  tone: 'plain',
  detail: null,
  ...(step && { step }),
});

const line = (told: RunLogLine) => `${JSON.stringify(told)}\n`;
const begins = (world: number, id: string, attempt = 0) =>
  line({ kind: 'world', world, test: { id, attempt } });
const happens = (world: number, seq: number, id?: string) =>
  line({ kind: 'entry', world, entry: entry(seq), ...(id && { test: { id, attempt: 0 } }) });

test('recording: reads each line once, when it is complete', () => {
  const place = folder();
  const reader = createRunLogReader(place);
  expect(reader.read()).toEqual([]);
  const text = Buffer.from(begins(1, 'a') + happens(1, 1));
  const middle = text.indexOf(Buffer.from('é')) + 1;
  appendFileSync(join(place, '1.jsonl'), text.subarray(0, middle));
  expect(reader.read().map((read) => read.line.kind)).toEqual(['world']);
  appendFileSync(join(place, '1.jsonl'), text.subarray(middle));
  expect(reader.read()).toMatchObject([{ line: { kind: 'entry', entry: { title: 'é' } } }]);
  expect(reader.read()).toEqual([]);
});

test('recording: keeps worlds of two workers, tests and their retries apart', () => {
  const place = folder();
  appendFileSync(join(place, '1.jsonl'), begins(1, 'a') + happens(1, 1) + begins(2, 'a', 1) + happens(2, 1));
  appendFileSync(join(place, '2.jsonl'), begins(1, 'b') + happens(1, 1) + happens(1, 2, 'c') + happens(1, 3));
  const record = createRunRecord();
  record.add(createRunLogReader(place).read());
  const brief = (id: string) =>
    record
      .release((one) => one === id)
      .map(({ attempt, entries }) => [attempt, entries.map(({ seq }) => seq)]);
  expect(brief('a')).toEqual([
    [0, [1]],
    [1, [1]],
  ]);
  expect(brief('a')).toEqual([]);
  expect(brief('b')).toEqual([[0, [1]]]);
  expect(brief('c')).toEqual([[0, [2, 3]]]);
});

test('recording: keeps the first thousand entries of an endless test, and counts all its steps', () => {
  const place = folder();
  const step = { machineId: 'm', event: 'e', from: 'a', state: 'a', deadlineMs: null };
  const told = line({ kind: 'entry', world: 1, entry: entry(1, step) });
  appendFileSync(join(place, '1.jsonl'), begins(1, 'a') + told.repeat(1_500));
  const record = createRunRecord();
  record.add(createRunLogReader(place).read());
  expect([...record.steps('m').values()]).toMatchObject([{ times: 1_500 }]);
  const [timeline] = record.release(() => true);
  expect(timeline).toMatchObject({ dropped: 500 });
  expect(timeline!.entries).toHaveLength(1_000);
});
