/** A serial line, or anything else that carries bytes both ways: a pty, a TCP connection, a pipe of a test. */
export interface BytePort {
  /** What it is called in messages to people, such as `/dev/ttyUSB0`. */
  readonly path: string;
  /** Resolves when the bytes have left the process. @throws Fault `reader` when the line is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** One listener; bytes come in whatever pieces the line makes of them. */
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Called once when the line ends, whoever ended it. */
  onClose(listener: (reason: string) => void): void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** How a line is driven. 8 data bits always. */
export interface LineSettings {
  baudRate: number;
  stopBits?: 1 | 2 | undefined;
}

/** Opens the line anew, each time it is called. @throws Fault `reader`, in words for the person who plugged it in. */
export type OpenPort = (settings: LineSettings) => Promise<BytePort>;
