/** A two-way byte stream: a serial port, a pty, a TCP connection or a pipe in a test. */
export interface BytePort {
  /** Name for messages, such as `/dev/ttyUSB0`. */
  readonly path: string;
  /** Whether another program of this machine is at its other end: a pty, or a connection to the loopback address. */
  readonly isLocal?: boolean;
  /** Resolves when the bytes have left the process. @throws Fault `reader` when the port is closed. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sets the listener. Bytes arrive in pieces of any size. */
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Adds a listener that is called once when the port closes, from either side. */
  onClose(listener: (reason: string) => void): void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Settings of a serial line; 8 data bits without parity by default. */
export interface LineSettings {
  baudRate: number;
  stopBits?: 1 | 2 | undefined;
  /** A pty, and a virtual port of USB, have 8 bits and no parity all the same. */
  dataBits?: 7 | 8 | undefined;
  parity?: 'none' | 'even' | undefined;
}

/** Opens the port. @throws Fault `reader` with a message and advice for the user. */
export type OpenPort = (settings: LineSettings) => Promise<BytePort>;
