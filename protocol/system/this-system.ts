/** An operating system: `linux`, `darwin` (macOS) or `win32`. Any other, such as a BSD, is treated as a POSIX system. */
export type System = NodeJS.Platform;

/** The system that this process runs on. Only the files of this folder ask for it; tests pass another to them. */
export const THIS_SYSTEM: System = process.platform;
