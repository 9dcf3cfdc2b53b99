import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { moveFile } from '../../../protocol/system/move-file.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../../protocol/system/private-mode.ts';
import { sandboxFolder, sandboxOfFolder } from '../../../protocol/system/sandbox-folder.ts';
import { removeFolder } from '../../../protocol/system/remove-folder.ts';
import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { LimitedBytes, receiveFile } from './received-file.ts';
import { readHeader } from './read-snapshot.ts';
import type { SnapshotHeader } from './snapshot-format.schema.ts';
import type { SnapshotSource, SnapshotStorage, StoredSnapshot } from './snapshot-storage.ts';
import { writeSnapshot } from './write-snapshot.ts';

const SNAPSHOTS = 'snapshots';
const ENDING = '.jsonl.gz';
// The sandbox `default` has no folder among the others. No name of a sandbox begins with a dot.
const DEFAULT_FOLDER = '.default';

interface FolderSnapshotsParts {
  /** Holds a folder for each sandbox. */
  folder: string;
  /** Begins the names of files that are not complete, which the next start deletes. */
  incomplete: string;
  /** Whether the snapshots end with the process, so that nothing is synced. */
  ephemeral: boolean;
  /** Makes the names in a folder durable. */
  syncNames(folder: string): Promise<void>;
  log: Log;
}

/** Keeps the snapshots of a sandbox as files in its folder. */
export function createFolderSnapshots(parts: FolderSnapshotsParts): SnapshotStorage {
  const { folder, incomplete, syncNames } = parts;
  const folderOf = (sandbox: string) =>
    join(folder, sandbox === DEFAULT_SANDBOX ? DEFAULT_FOLDER : sandboxFolder(sandbox), SNAPSHOTS);
  const pathOf = ({ sandbox, id }: Pick<StoredSnapshot, 'sandbox' | 'id'>) =>
    join(folderOf(sandbox), id + ENDING);

  async function listOf(sandbox: string): Promise<{ id: string; sandbox: string }[]> {
    const names = await readdir(folderOf(sandbox)).catch(() => []);
    const files = names.filter((name) => name.endsWith(ENDING));
    return files.map((name) => ({ id: name.slice(0, -ENDING.length), sandbox }));
  }

  async function list(): Promise<{ id: string; sandbox: string }[]> {
    const names = existsSync(folder) ? await readdir(folder) : [];
    const others = names.filter((name) => !name.startsWith('.')).map((name) => sandboxOfFolder(name));
    const sandboxes = [DEFAULT_SANDBOX, ...others];
    return (await Promise.all(sandboxes.map(listOf))).flat();
  }

  async function describe(snapshot: { id: string; sandbox: string }): Promise<StoredSnapshot> {
    const path = pathOf(snapshot);
    const { size: bytes } = await stat(path);
    const { createdMs, clockMs } = await readHeader({ open: () => createReadStream(path), bytesMax: bytes });
    return { ...snapshot, createdMs, clockMs, bytes };
  }

  return {
    async list() {
      const described = await Promise.all((await list()).map(describe));
      return described.sort((a, b) => a.createdMs - b.createdMs);
    },
    async find(id) {
      const found = (await list()).find((snapshot) => snapshot.id === id);
      return found && describe(found);
    },
    async create(id, source, bytesMax) {
      const snapshot = { id, sandbox: source.name };
      const work = join(folder, incomplete + id);
      await mkdir(work, { recursive: true, mode: PRIVATE_FOLDER });
      try {
        await writeFiles(work, source, bytesMax, parts);
        const target = folderOf(source.name);
        // Of another sandbox not with the folder above it, which is gone when the sandbox was deleted meanwhile.
        const recursive = source.name === DEFAULT_SANDBOX;
        if (!existsSync(target)) await mkdir(target, { recursive, mode: PRIVATE_FOLDER });
        await moveFile(join(work, FILE), pathOf(snapshot));
        await syncNames(target);
      } finally {
        await removeFolder(work);
      }
      return describe(snapshot);
    },
    open: (snapshot) => createReadStream(pathOf(snapshot)),
    remove: (snapshot) => rm(pathOf(snapshot), { force: true }),
    receive: (id, content, bytesMax) => receiveFile(join(folder, incomplete + id), content, bytesMax),
  };
}

const FILE = 'file';

/** Copies the store of a sandbox, and writes the snapshot from the copy, on which nothing else works. */
async function writeFiles(
  folder: string,
  { store, header, exportTerminals }: SnapshotSource,
  bytesMax: number,
  { ephemeral, log }: FolderSnapshotsParts,
): Promise<void> {
  if (!store.copyTo) throw new Fault('internal', 'a snapshot of a sandbox in another kind of store');
  const path = join(folder, 'copy.db');
  let found: { header: SnapshotHeader; terminals: unknown } | undefined;
  await store.copyTo(path, async () => {
    found = { header: header(), terminals: await exportTerminals?.() };
  });
  const { openSqlite } = await import('../../platform/store/sqlite.ts');
  const copy = await openSqlite({ path, log, sync: 'never' });
  try {
    await pipeline(
      writeSnapshot({ ...found!, queries: copy, engine: 'sqlite' }),
      new LimitedBytes(bytesMax),
      createWriteStream(join(folder, FILE), { mode: PRIVATE_FILE, flush: !ephemeral }),
    );
  } finally {
    await copy.close();
  }
}
