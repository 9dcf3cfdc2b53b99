import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { releaseClosedDatabases } from '../../../protocol/system/closed-databases.ts';
import { connect } from '../../../server/platform/store/sqlite-connection.ts';

const FILES = '/proc/self/fd';

function openFilesBelow(folder: string): string[] {
  const links = readdirSync(FILES).map((file) => {
    try {
      return readlinkSync(join(FILES, file));
    } catch {
      return ''; // The one that reads the folder.
    }
  });
  return links.filter((path) => path.startsWith(folder));
}

test('releaseClosedDatabases: closes the files of a database whose statements are not collected yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const connection = connect(join(folder, 'store.db'));
  connection.exec('CREATE TABLE t (a)');
  expect(connection.get('SELECT count(*) AS n FROM t')).toEqual({ n: 0 });
  connection.close();
  expect(openFilesBelow(folder), 'the library closes the file by itself now').not.toEqual([]);
  await releaseClosedDatabases();
  expect(openFilesBelow(folder)).toEqual([]);
});
