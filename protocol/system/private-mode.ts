/**
 * Modes of files and folders that only their owner may read, such as those with keys.
 *
 * - Linux and macOS: set when the file is made.
 * - Windows: ignored. Who may read the file follows from the permissions of the folder that it is in.
 */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
