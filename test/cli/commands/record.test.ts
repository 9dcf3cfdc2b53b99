import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCliFixture, refusal, type CliFixture } from '../cli-fixture.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'session.tapbench');
}

function onServer(): CliFixture {
  const on = createCliFixture();
  on.answer('POST /sandbox/recordings', { status: 200, body: { id: 'rec_1' } });
  on.answer('GET /sandbox/recordings/rec_1/file', { status: 200, body: { a: 1 } });
  on.answer('DELETE /sandbox/recordings/rec_1', { status: 200, body: {} });
  return on;
}

test('record: writes the file when its command has ended, returns its exit code, and leaves nothing on the server', async () => {
  const on = onServer();
  const file = newFile();
  expect(await on.run('record', file, '--', process.execPath, '-e', 'process.exit(3)')).toBe(3);
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
  expect(on.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE']);
  expect(on.out).toBe(`recorded in ${file}\n`);
});

test('record: records until Ctrl-C without a command', async () => {
  const on = onServer();
  const file = newFile();
  const ended = on.run('record', file, '--title', 'a refund');
  on.interrupt();
  expect(await ended).toBe(0);
  expect([existsSync(file), on.requests[0]?.body]).toEqual([true, { title: 'a refund' }]);
});

test('record: ends the recording when its command cannot be run or its file cannot be written', async () => {
  const on = onServer();
  expect(await on.run('record', newFile(), '--', '/no/such/program')).toBe(1);
  expect(on.err).toContain('/no/such/program cannot be run');
  expect(on.requests.at(-1)?.method).toBe('DELETE');
  on.answer('GET /sandbox/recordings/rec_1/file', refusal(404, 'there is no such recording'));
  expect(await on.run('record', newFile(), '--', process.execPath, '--version')).toBe(1);
  expect(on.requests.at(-1)?.method).toBe('DELETE');
});

test('recordings: lists what the server holds, saves and deletes one', async () => {
  const on = onServer();
  const held = { id: 'rec_1', status: 'Ended', startedTimestamp: 1, items: 7, title: 'a refund' };
  on.answer('GET /sandbox/recordings', { status: 200, body: { items: [held] } });
  expect(await on.run('recordings')).toBe(0);
  expect(on.out).toMatch(/rec_1\s+Ended .*7\s+a refund/);
  const file = newFile();
  expect(await on.run('recordings', 'save', 'rec_1', file)).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect(await on.run('recordings', 'delete', 'rec_1')).toBe(0);
  expect(on.out).toContain('rec_1 deleted');
});
