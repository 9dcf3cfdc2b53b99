import type { Readable } from 'node:stream';
import type { Store } from '../../platform/store/store.ts';
import type { SnapshotFile } from './read-snapshot.ts';
import type { SnapshotHeader } from './snapshot-format.schema.ts';

/** What is known of a stored snapshot. */
export interface StoredSnapshot {
  id: string;
  /** Name of its sandbox, `default` included. */
  sandbox: string;
  /** Real time, epoch milliseconds. */
  createdMs: number;
  /** Time of the sandbox, epoch milliseconds. */
  clockMs: number;
  bytes: number;
}

/** The sandbox that a snapshot is made of. */
export interface SnapshotSource {
  /** Name of the sandbox. */
  name: string;
  store: Store;
  /** Returns the header at the moment of the copy. */
  header(): SnapshotHeader;
  /** As for `SandboxOrigin`. */
  exportTerminals?: (() => Promise<unknown>) | undefined;
}

/** A file that was received. */
export interface ReceivedFile extends SnapshotFile {
  /** Deletes it. */
  discard(): Promise<void>;
}

/** Keeps snapshots. Each is there as a whole or not at all, and is deleted with its sandbox. */
export interface SnapshotStorage {
  list(): Promise<StoredSnapshot[]>;
  find(id: string): Promise<StoredSnapshot | undefined>;
  /**
   * Stores all that is committed in a sandbox, between two commits.
   * @throws Refusal `snapshot_too_large`
   * @throws Fault `store` when it cannot be written, or the sandbox was deleted meanwhile
   */
  create(id: string, source: SnapshotSource, bytesMax: number): Promise<StoredSnapshot>;
  /** Reads the file of a snapshot. */
  open(snapshot: StoredSnapshot): Readable;
  remove(snapshot: StoredSnapshot): Promise<void>;
  /**
   * Keeps a file while it is restored.
   * @param id that no other has at the time
   * @throws Refusal `snapshot_too_large`
   */
  receive(id: string, content: Readable, bytesMax: number): Promise<ReceivedFile>;
}
