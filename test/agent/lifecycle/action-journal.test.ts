import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fileJournal, memoryJournal, type ActionJournal } from '../../../agent/lifecycle/action-journal.ts';
import { ACTION_ID } from '../agent-fixture.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  folders.push(folder);
  return join(folder, 'terminals', 'journal.json');
}

const ENTRY = { actionId: ACTION_ID, snapshot: { value: 'awaitingCard' }, nextSeq: 2, lastSeqSeen: 1 };

const JOURNALS: [string, () => ActionJournal][] = [
  ['in memory', memoryJournal],
  ['in a file', () => fileJournal(journalFile(), { sync: false })],
  ['in a file forced to the disk', () => fileJournal(journalFile(), { sync: true })],
];

test.each(JOURNALS)('action journal %s: keeps the last entry until it is cleared', (_, open) => {
  const journal = open();
  expect(journal.load()).toBeUndefined();
  journal.save({ ...ENTRY, nextSeq: 1 });
  journal.save(ENTRY);
  expect(journal.load()).toEqual(ENTRY);
  journal.clear();
  journal.clear();
  expect(journal.load()).toBeUndefined();
});

test.each([
  { sync: true, folders: ['terminals'] },
  { sync: false, folders: [] },
])(
  'action journal in a file: the first entry syncs the folder of the file, if any does (%j)',
  ({ sync, ...expected }) => {
    const synced: string[] = [];
    const journal = fileJournal(journalFile(), { sync, syncFolder: (path) => synced.push(basename(path)) });
    journal.save(ENTRY);
    journal.save(ENTRY);
    journal.clear();
    expect(synced).toEqual(expected.folders);
  },
);

test.each(JOURNALS)('action journal %s: stores a copy of the entry', (_, open) => {
  const journal = open();
  const entry = structuredClone(ENTRY);
  journal.save(entry);
  entry.snapshot.value = 'changed';
  expect(journal.load()).toEqual(ENTRY);
});

test('fileJournal: survives the process with mode 600, and leaves no temporary file', () => {
  const path = journalFile();
  fileJournal(path, { sync: true }).save(ENTRY);
  expect(fileJournal(path, { sync: true }).load()).toEqual(ENTRY);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..'))).toEqual(['journal.json']);
});

test.each([1, 2, 3, 4])('fileJournal: clear erases %i entries from the file', (entries) => {
  const path = journalFile();
  const journal = fileJournal(path, { sync: false });
  // The longest first: what comes after it in its slot does not cover it.
  for (let n = entries; n > 0; n -= 1) {
    journal.save({ ...ENTRY, snapshot: { sealed: 'C1F4E2'.repeat(n * 100) } });
  }
  journal.clear();
  expect(readFileSync(path, 'utf8')).not.toContain('C1F4E2');
  expect(fileJournal(path, { sync: false }).load()).toBeUndefined();
  journal.save(ENTRY);
  expect(fileJournal(path, { sync: false }).load()).toEqual(ENTRY);
});

test('fileJournal: after a torn write, loads the entry before', () => {
  const path = journalFile();
  const journal = fileJournal(path, { sync: false });
  journal.save({ ...ENTRY, nextSeq: 7 });
  journal.save({ ...ENTRY, nextSeq: 8 });
  const bytes = readFileSync(path);
  // The second write went to the first slot; its last byte did not reach the disk.
  bytes[bytes.indexOf('\n') - 1] = 0;
  writeFileSync(path, bytes);
  expect(fileJournal(path, { sync: false }).load()).toEqual({ ...ENTRY, nextSeq: 7 });
});

test('fileJournal: an unreadable file is replaced at the next write', () => {
  const path = journalFile();
  fileJournal(path, { sync: false }).save(ENTRY);
  writeFileSync(path, 'not a journal');
  const journal = fileJournal(path, { sync: false });
  expect(() => journal.load()).toThrowError(expect.objectContaining({ code: 'journal' }));
  journal.clear();
  journal.save(ENTRY);
  expect(fileJournal(path, { sync: false }).load()).toEqual(ENTRY);
});

test('fileJournal: throws Fault journal for a file that is no journal or cannot be written', () => {
  const path = journalFile();
  const journal = fileJournal(path, { sync: false });
  writeFileSync(path, '{"actionId":');
  expect(() => journal.load()).toThrowError(expect.objectContaining({ code: 'journal' }));
  rmSync(join(path, '..'), { recursive: true });
  expect(() => journal.save(ENTRY)).toThrowError(expect.objectContaining({ code: 'journal' }));
});
