import type { Store } from '../platform/store/store.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';

/** Keeps sandboxes other than `default`. Each is there as a whole or not at all, whenever the process ends. */
export interface SandboxStorage {
  /** Reads all records, and removes what an earlier process left half-made or half-deleted. */
  list(): Promise<SandboxRecord[]>;
  /**
   * Stores a new sandbox: empty, or with a copy of all that is committed in `source`.
   * @param exportTerminals returns the simulated terminals of the source as JSON; called while the source is not written to
   * @throws Fault `store` or `data_folder` when it cannot be written
   */
  create(record: SandboxRecord, source?: Store, exportTerminals?: () => Promise<unknown>): Promise<void>;
  /** Replaces the record of a sandbox. */
  save(record: SandboxRecord): Promise<void>;
  /** Opens the objects of a sandbox, their tables up to date. */
  open(name: string): Promise<Store>;
  /** Returns the terminals that a fork began with; undefined for none. */
  readTerminals(name: string): Promise<unknown>;
  /** Deletes a sandbox whose store is closed. */
  remove(name: string): Promise<void>;
  /** Folder for the journals of the terminals of a sandbox; undefined when they are kept in memory. */
  journalFolder(name: string): string | undefined;
  /** Ends the use of the storage; what does not outlive the process is deleted. */
  close(): Promise<void>;
}
