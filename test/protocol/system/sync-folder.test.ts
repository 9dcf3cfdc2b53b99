import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { syncFolder, syncFolderSync } from '../../../protocol/system/sync-folder.ts';

const POSIX = ['linux', 'darwin'] as const;

/** Calls that note themselves. @param trouble what a sync throws */
function notedCalls(trouble?: Error) {
  const made: string[] = [];
  const note = (call: string) => void made.push(call);
  const sync = () => {
    note('sync');
    if (trouble) throw trouble;
  };
  const openFolder = async (path: string) => {
    note(`open ${path}`);
    return { sync: async () => sync(), close: async () => note('close') };
  };
  const blocking = {
    openFolder: (path: string) => (note(`open ${path}`), 7),
    sync,
    close: (folder: number) => note(`close ${folder}`),
  };
  return { made, openFolder, blocking };
}

test.each(POSIX)('syncFolder: syncs the folder on %s, and closes it', async (system) => {
  const { made, openFolder, blocking } = notedCalls();
  await syncFolder('/data', { system, openFolder });
  syncFolderSync('/data', { system, ...blocking });
  expect(made).toEqual(['open /data', 'sync', 'close', 'open /data', 'sync', 'close 7']);
});

test.each(POSIX)('syncFolder: throws what a sync throws on %s, and closes the folder', async (system) => {
  const { made, openFolder, blocking } = notedCalls(new Error('EIO'));
  await expect(syncFolder('/data', { system, openFolder })).rejects.toThrow('EIO');
  expect(() => syncFolderSync('/data', { system, ...blocking })).toThrow('EIO');
  expect(made.filter((call) => call.startsWith('close'))).toEqual(['close', 'close 7']);
});

test('syncFolder: does nothing on Windows, which cannot open a folder', async () => {
  const { made, openFolder, blocking } = notedCalls();
  await syncFolder('C:\\data', { system: 'win32', openFolder });
  syncFolderSync('C:\\data', { system: 'win32', ...blocking });
  expect(made).toEqual([]);
});

test('syncFolder: opens the folder on this system', async () => {
  await syncFolder(tmpdir());
  syncFolderSync(tmpdir());
  await expect(syncFolder('/no/such/folder')).rejects.toThrow('ENOENT');
  expect(() => syncFolderSync('/no/such/folder')).toThrow('ENOENT');
});
