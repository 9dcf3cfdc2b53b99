import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';

export type ReportHandler<M extends DeclaredMessage> = (
  terminalId: string,
  body: BodyOf<M>,
) => Promise<void> | void;

export interface ReportOptions {
  /** Also handle reports about an action that is not the terminal's own; dropped by default. */
  anyAction?: boolean;
}

/**
 * The server's side of the protocol: commands out, reports in. It is a client of the broker, embedded or
 * external.
 */
export interface Gateway {
  open(): void;
  close(): Promise<void>;
  readonly online: boolean;
  /**
   * How long a terminal can be off the network while the broker takes it as connected, milliseconds: none at the embedded
   * broker, whose terminals report it at once.
   */
  readonly lossDetectedMs?: number;
  /** Whether a fault of the sandbox keeps it from the broker, which serves the other sandboxes. */
  readonly isKeptAway?: boolean;
  /**
   * Sends a command to one terminal, or a request to its simulator. Resolves with whether the broker took it.
   * Never throws for the network and queues nothing: a terminal that missed a command inquires.
   */
  send<M extends DeclaredMessage>(
    message: M,
    terminalId: string,
    body: BodyOf<M>,
    options?: SendOptions,
  ): Promise<boolean>;
  /** Publishes the offset of sandbox time, now and after each reconnect. The broker retains it. */
  publishClock(offsetMs: number): void;
  /**
   * Sets the handler of a report. Handlers of the reports of one terminal are called in the order of their arrival, each
   * when the one before has returned its promise. One that writes keeps the order by `joinTransactions`. What a handler
   * throws is logged. A report that names an action of another terminal is dropped, unless `anyAction` is set.
   * @throws Fault `internal` when the report has a handler already.
   */
  onReport<M extends DeclaredMessage>(message: M, handler: ReportHandler<M>, options?: ReportOptions): void;
  /** Adds a listener that is called at each connect, once the server is subscribed to its terminals. */
  onOnline(run: () => void): void;
  /** True while no report is being handled and no command is being sent. */
  idle(): boolean;
}

interface SendOptions {
  /** The action that the message names may be one of another terminal. */
  foreignAction?: boolean;
}
