/** A context or a card of the service: a number, or a bigint where it is too large for one. */
export type Handle = number | bigint;

/** What a function returns: its code, and the values that it fills in. They mean nothing unless the code is 0. */
type Returned<T extends object = object> = { code: number } & T;

/**
 * The functions of PC/SC that the driver calls (PC/SC part 5; winscard.h). Each resolves with the return code as an
 * unsigned number and never rejects.
 */
export interface PcscInterface {
  establishContext(): Promise<Returned<{ context: Handle }>>;
  releaseContext(context: Handle): Promise<Returned>;
  /** Ends a wait of the context in `getStatusChange`. */
  cancel(context: Handle): Promise<Returned>;
  listReaders(context: Handle): Promise<Returned<{ names: string[] }>>;
  /** Waits until the state of a reader is another than `current`; 0 for the state as it is. */
  getStatusChange(
    context: Handle,
    wait: { reader: string; current: number; timeoutMs: number },
  ): Promise<Returned<ReaderState>>;
  connect(
    context: Handle,
    request: { reader: string; share: number; protocols: number },
  ): Promise<Returned<{ card: Handle; protocol: number }>>;
  disconnect(card: Handle, disposition: number): Promise<Returned>;
  transmit(card: Handle, protocol: number, command: Uint8Array): Promise<Returned<{ answer: Uint8Array }>>;
  /** Kernel modules of this machine that keep readers from the service. Not a function of PC/SC. */
  blockingModules(): Promise<string[]>;
}

/** State of a reader: the event word, and the answer to reset of a card that is there. */
export interface ReaderState {
  event: number;
  atr: Uint8Array;
}

/** Bits of the event word; its high half counts insertions and removals. */
export const STATE = {
  changed: 0x02,
  unknown: 0x04,
  unavailable: 0x08,
  empty: 0x10,
  present: 0x20,
  mute: 0x200,
} as const;

export const SCOPE_SYSTEM = 2;
/** No other program can connect to the card. */
export const SHARE_EXCLUSIVE = 1;
export const PROTOCOL = { t0: 1, t1: 2 } as const;
/** Disposition: switches the card off. */
export const UNPOWER_CARD = 2;

/** Return codes that the driver tells apart. */
export const CODE = {
  ok: 0,
  cancelled: 0x80100002,
  unknownReader: 0x80100009,
  timeout: 0x8010000a,
  sharingViolation: 0x8010000b,
  noCard: 0x8010000c,
  protocolMismatch: 0x8010000f,
  notTransacted: 0x80100016,
  readerUnavailable: 0x80100017,
  unsupportedCard: 0x8010001c,
  unsupportedReset: 0x80100065,
  noService: 0x8010001d,
  serviceStopped: 0x8010001e,
  noReaders: 0x8010002e,
  unresponsiveCard: 0x80100066,
  unpoweredCard: 0x80100067,
  resetCard: 0x80100068,
  removedCard: 0x80100069,
  accessDenied: 0x8010006a,
} as const;
