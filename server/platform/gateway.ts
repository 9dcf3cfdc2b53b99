import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';

export type ReportHandler<M extends DeclaredMessage> = (
  terminalId: string,
  body: BodyOf<M>,
) => Promise<void> | void;

export interface ReportOptions {
  /** Whether the handler takes reports about an action that is not the terminal's own, too; else they are dropped. */
  anyAction?: boolean;
}

/**
 * The server's side of the protocol: commands out, reports in. It is a client of the broker, embedded or not,
 * like everybody else.
 */
export interface Gateway {
  open(): void;
  close(): Promise<void>;
  readonly online: boolean;
  /**
   * Sends a command (or, on the simulators' half of the tree, a request) to one terminal. Answers whether the
   * broker took it; never throws for the network, and queues nothing: a terminal that missed a command inquires.
   */
  send<M extends DeclaredMessage>(
    message: M,
    terminalId: string,
    body: BodyOf<M>,
    options?: SendOptions,
  ): Promise<boolean>;
  /** Tells everybody what sandbox time is, now and after each reconnect; the broker keeps it for who comes later. */
  publishClock(offsetMs: number): void;
  /**
   * Who takes a report. Reports of one terminal are handled one after the other, in the order they came; those
   * of different terminals side by side. A handler that throws is logged and the next report goes on. A report
   * that names an action of another terminal is dropped, unless the handler takes reports on any action.
   */
  onReport<M extends DeclaredMessage>(message: M, handler: ReportHandler<M>, options?: ReportOptions): void;
  /** Called at each (re)connect, once the server hears its terminals. */
  onOnline(run: () => void): void;
  /** True when no report is being handled and no command is on its way to the broker. */
  idle(): boolean;
}

interface SendOptions {
  /** The action that the message names is not known to be one of this terminal. */
  foreignAction?: boolean;
}
