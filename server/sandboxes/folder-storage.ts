import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { moveFile } from '../../protocol/system/move-file.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../protocol/system/private-mode.ts';
import { removeFolder } from '../../protocol/system/remove-folder.ts';
import { sandboxFolder } from '../../protocol/system/sandbox-folder.ts';
import { syncFolder } from '../../protocol/system/sync-folder.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { changeDatabase, fillDatabase, type NewDatabaseParts } from '../platform/store/fill-database.ts';
import { writeDatabase } from '../platform/store/migrated-database.ts';
import { createTables } from '../platform/store/migrations/migrate.ts';
import { openStore } from '../platform/store/open-store.ts';
import { saveAsleep, takeAsleep } from './asleep-terminals.ts';
import { parseSandboxRecord, type SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxOrigin, SandboxStorage } from './sandbox-storage.ts';
import { createFolderRemovals } from './folder-removals.ts';
import { createFolderSnapshots } from './snapshots/folder-snapshots.ts';
import { restoreRows } from './snapshots/restore-rows.ts';

const FACTS = 'sandbox.json';
// As in the folder of a server, so that commands find the keys of a sandbox as those of a server.
const KEYS = 'keys.json';
const STORE = 'store.db';
const JOURNALS = 'terminals';
const TERMINALS = 'terminals-at-fork.json';

// No name of a sandbox begins with a dot.
const NEW = '.new-';
const DELETED = '.deleted-';

export interface FolderStorageOptions {
  /** Holds a folder for each sandbox. Made when it is first needed. */
  folder: string;
  /** Whether the sandboxes end with the process: nothing is synced, and the folder is deleted at the end. */
  ephemeral?: boolean;
  log: Log;
}

/**
 * Keeps each sandbox in a folder with its record, its SQLite file and the journals of its terminals. A folder is made
 * and deleted under another name, and gets or loses its own by a rename.
 */
export function createFolderStorage({
  folder,
  ephemeral = false,
  log,
}: FolderStorageOptions): SandboxStorage {
  const pathOf = (name: string) => join(folder, sandboxFolder(name));
  const write = (path: string, content: string | Uint8Array) =>
    writeFile(path, content, { mode: PRIVATE_FILE, flush: !ephemeral });
  const removals = createFolderRemovals(log);
  let removed = 0;
  const syncNames = async (path = folder) => (ephemeral ? undefined : syncFolder(path));

  return {
    async list() {
      if (!existsSync(folder)) return [];
      const names = await readdir(folder);
      const left = names.filter((name) => name.startsWith(NEW) || name.startsWith(DELETED));
      for (const name of left) await removeFolder(pathOf(name));
      return readRecords(folder);
    },

    read: async () => (existsSync(folder) ? readRecords(folder) : []),

    async create(record, origin = {}) {
      const path = pathOf(NEW + record.name);
      await inFolder(async () => {
        if (existsSync(path)) await removeFolder(path);
        await mkdir(join(path, JOURNALS), { recursive: true, mode: PRIVATE_FOLDER });
        try {
          await writeContent({ path: join(path, STORE), ephemeral, log }, write, record, origin);
        } catch (thrown) {
          await removeFolder(path);
          throw thrown;
        }
        await syncNames(path);
        await moveFile(path, pathOf(record.name));
        await syncNames();
      });
    },

    async countOpen(record) {
      const counted = { ...record, opens: record.opens + 1 };
      await inFolder(() => writeFacts(write, pathOf(record.name), counted));
      return counted;
    },

    saveUse: (record) => inFolder(() => writeFacts(write, pathOf(record.name), record)),
    saveSettings: (record) => inFolder(() => writeFacts(write, pathOf(record.name), record)),
    open: ({ name }) => openStore({ path: join(pathOf(name), STORE), ephemeral, log }),

    async readTerminals({ name }) {
      const path = join(pathOf(name), TERMINALS);
      return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : undefined;
    },

    saveAsleep: ({ name }, terminals) => inFolder(() => saveAsleep(pathOf(name), terminals)),
    takeAsleep: ({ name }) => takeAsleep(pathOf(name)),

    async remove({ name, createdMs }) {
      removed += 1;
      // The files of one of this name that was deleted a moment ago may still be there.
      const path = pathOf(`${DELETED}${name}-${createdMs}-${removed}`);
      await inFolder(async () => {
        await moveFile(pathOf(name), path);
        await syncNames();
      });
      removals.add(path);
    },

    snapshots: createFolderSnapshots({ folder, incomplete: NEW, ephemeral, syncNames, log }),

    journalFolder: ({ name }) => (ephemeral ? undefined : join(pathOf(name), JOURNALS)),

    async close() {
      await removals.ended();
      if (ephemeral) await removeFolder(folder);
    },
  };
}

type Write = (path: string, content: string) => Promise<void>;

async function writeFacts(write: Write, path: string, record: SandboxRecord): Promise<void> {
  const target = join(path, FACTS);
  await write(`${target}.new`, factsOf(record));
  await moveFile(`${target}.new`, target);
}

function factsOf(record: SandboxRecord): string {
  return textOf({ ...record, keys: undefined });
}

async function readRecords(folder: string): Promise<SandboxRecord[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => readRecord(join(folder, name))),
  );
}

async function readRecord(path: string): Promise<SandboxRecord> {
  const [facts, keys] = await Promise.all([
    readFile(join(path, FACTS), 'utf8'),
    readFile(join(path, KEYS), 'utf8'),
  ]);
  return parseSandboxRecord({ facts, keys }, path);
}

function textOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes the files of a new sandbox, beside its objects. */
async function writeContent(
  store: NewDatabaseParts,
  write: Write,
  record: SandboxRecord,
  origin: SandboxOrigin,
): Promise<void> {
  const path = dirname(store.path);
  const writeTerminals = async (terminals: unknown) => {
    if (terminals !== undefined) await write(join(path, TERMINALS), JSON.stringify(terminals));
  };
  // At once, since the syncs of several files take as long as one.
  await Promise.all([
    writeStore(store, origin, writeTerminals),
    write(join(path, KEYS), textOf(record.keys)),
    write(join(path, FACTS), factsOf(record)),
  ]);
}

/** Writes the objects of a new sandbox. */
async function writeStore(
  file: NewDatabaseParts,
  { source, exportTerminals, snapshot, prepare }: SandboxOrigin,
  writeTerminals: (terminals: unknown) => Promise<void>,
): Promise<void> {
  if (snapshot) {
    await writeFile(file.path, '', { mode: PRIVATE_FILE });
    return changeDatabase(file, async (transaction) => {
      await transaction((tx) => createTables(tx, 'sqlite', snapshot.header.migration));
      await writeTerminals(await restoreRows(snapshot, 'sqlite', transaction));
      if (prepare) await transaction(prepare);
    });
  }
  if (!source) return writeDatabase(file, prepare);
  if (!source.copyTo) throw new Fault('internal', 'a fork of a sandbox in another kind of store');
  // In one step with the copy of the store: a report that only one of them had would be lost or come twice.
  await source.copyTo(file.path, async () => writeTerminals(await exportTerminals?.()));
  if (prepare) await fillDatabase(file, prepare);
}

async function inFolder(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Fault || thrown instanceof Refusal) throw thrown;
    throw new Fault('store', `a sandbox cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
}
