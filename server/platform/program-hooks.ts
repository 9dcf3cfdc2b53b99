/** What the program that runs a server does for it. The program registers each function at most once. */
export interface ProgramHooks {
  /** Registers what makes again, after a reset of the sandbox, what the program made at its start. */
  onReset(restore: () => Promise<void>): void;
  /** Makes it again; does nothing where nothing is registered. */
  afterReset(): Promise<void>;
  /** Registers what exports the simulated terminals of the program as they stand, as JSON. */
  onExport(exportState: () => Promise<unknown>): void;
  /** Exports them, for a fork; undefined where the program simulates none. */
  exportTerminals(): Promise<unknown>;
}

export function createProgramHooks(): ProgramHooks {
  let restore: (() => Promise<void>) | undefined;
  let exportState: (() => Promise<unknown>) | undefined;
  return {
    onReset: (run) => void (restore = run),
    afterReset: async () => restore?.(),
    onExport: (run) => void (exportState = run),
    exportTerminals: async () => exportState?.(),
  };
}
