export interface BenchOptions {
  /** Few rounds, for a first look. */
  quick: boolean;
  /** Where CPU profiles of our servers go, when they are wanted. */
  profileDir: string | undefined;
  /** How many payments `memory` takes, when given. */
  payments: number | undefined;
  /** Folder of another checkout, built, that is measured in turns with this one. */
  compare: string | undefined;
}
