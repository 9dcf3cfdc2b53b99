import type { Store, Transaction } from '../platform/store/store.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { RestoredSnapshot } from './snapshots/restore-rows.ts';
import type { SnapshotStorage } from './snapshots/snapshot-storage.ts';

/** What a new sandbox begins with. */
export interface SandboxOrigin {
  /** A store of the same kind, of which it gets a copy of all that is committed. */
  source?: Store | undefined;
  /**
   * Returns the simulated terminals of the source as JSON. Called while the source is not written to, or before it is
   * read where others can write to it.
   */
  exportTerminals?: (() => Promise<unknown>) | undefined;
  /** A snapshot that is restored. */
  snapshot?: RestoredSnapshot | undefined;
  /** Changes the new sandbox before it is there. May be called again, as the body of a transaction. */
  prepare?: ((tx: Transaction) => Promise<void>) | undefined;
}

/** Keeps sandboxes other than `default`. Each is there as a whole or not at all, whenever the process ends. */
export interface SandboxStorage {
  /** Reads all records, and removes what an earlier process left half-made or half-deleted. Called at the start. */
  list(): Promise<SandboxRecord[]>;
  /** Reads all records as they are now, also while another process works with them. */
  read(): Promise<SandboxRecord[]>;
  /**
   * Stores a new sandbox, closed until `open`, and empty unless `origin` has something. What `prepare` throws undoes it.
   * @throws UniqueViolation when another server has stored one of this name
   * @throws Fault `store` or `data_folder` when it cannot be written
   */
  create(record: SandboxRecord, origin?: SandboxOrigin): Promise<void>;
  /** Stores that a sandbox is opened once more, with its last use, and returns its record with the new count. */
  countOpen(record: SandboxRecord): Promise<SandboxRecord>;
  /** Stores when a sandbox was last used, and when something is due in it. */
  saveUse(record: SandboxRecord): Promise<void>;
  /** Stores the settings that a sandbox has of its own. */
  saveSettings(record: SandboxRecord): Promise<void>;
  /**
   * Opens the objects of a sandbox, their tables up to date.
   * @param onDeleted called when its tables are gone, since another server has deleted it
   */
  open(record: SandboxRecord, onDeleted?: () => void): Promise<Store>;
  /** Returns the terminals that a fork began with; undefined for none. */
  readTerminals(record: SandboxRecord): Promise<unknown>;
  /** Keeps the simulated terminals of a sandbox that sleeps, as JSON; nothing when they are undefined. */
  saveAsleep(record: SandboxRecord, terminals: unknown): Promise<void>;
  /** Returns the terminals that `saveAsleep` kept, once; undefined for none. */
  takeAsleep(record: SandboxRecord): Promise<unknown>;
  /** Deletes a sandbox whose store is closed. Its files go later, at the latest when the storage is opened again. */
  remove(record: SandboxRecord): Promise<void>;
  /** Folder for the journals of the terminals of a sandbox; undefined when they are kept in memory. */
  journalFolder(record: SandboxRecord): string | undefined;
  readonly snapshots: SnapshotStorage;
  /** What other servers do to the same sandboxes; undefined when this server alone has them. */
  readonly shared?: SharedRecords;
  /** Ends the use of the storage; what does not outlive the process is deleted. */
  close(): Promise<void>;
}

/** Records that other servers change too. */
export interface SharedRecords {
  /** Returns a text that is the same as before while the same records are there. */
  revision(): Promise<string>;
  /** Returns how many are there. */
  count(): Promise<number>;
}
