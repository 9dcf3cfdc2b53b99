import { Fault } from '../../../protocol/failures.ts';
import type { Connector, LinkCredentials } from '../../../protocol/link.ts';
import type { Log } from '../../../protocol/log.ts';
import {
  encode,
  encodeClock,
  type BodyOf,
  type DeclaredMessage,
  type Envelope,
} from '../../../protocol/message.ts';
import { SERVER_FILTERS } from '../../../protocol/topics.ts';
import {
  createReportIntake,
  type OwnsAction,
  type ReportHandler,
  type ReportOptions,
} from './report-intake.ts';

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

export interface GatewayOptions {
  connect: Connector;
  credentials: LinkCredentials;
  log: Log;
  /** Reports of one terminal that may wait to be handled; 1,000. Later ones are dropped: the terminal repeats
   * what matters, and one that floods must not fill the memory. */
  waitingMax?: number;
  /** Bytes of them; 1 MiB. */
  waitingBytesMax?: number;
  ownsAction: OwnsAction;
  /** Told of everything that is sent, and that is received and can be read. */
  passed?(passed: Passed): void;
}

export interface SendOptions {
  /** The action that the message names is not known to be one of this terminal. */
  foreignAction?: boolean;
}

/** A message on its way between the server and a terminal, or its simulator. */
export interface Passed {
  way: 'sent' | 'received';
  terminalId: string;
  name: string;
  /** The action that it is about, where that is the terminal's own. */
  actionId: string | null;
  body: unknown;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { connect, credentials, log, waitingMax = 1_000, waitingBytesMax = 1024 * 1024 } = options;
  const { ownsAction, passed } = options;
  const limits = { waitingMax, bytesMax: waitingBytesMax };
  const reports = createReportIntake({ log, limits, ownsAction, passed });
  const onlineListeners: (() => void)[] = [];
  let clockOffsetMs: number | undefined;
  let sending = 0;
  let closing = false;

  const link = connect({
    credentials,
    subscriptions: SERVER_FILTERS,
    handlers: {
      online() {
        log.info('hearing terminals');
        if (clockOffsetMs !== undefined) void publish(encodeClock(clockOffsetMs));
        for (const run of onlineListeners) run();
      },
      offline: () => {
        if (!closing) log.warn('not hearing terminals: no connection to the broker');
      },
      message: reports.receive,
    },
  });

  async function publish(envelope: Envelope): Promise<boolean> {
    sending++;
    try {
      await link.publish(envelope);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ topic: envelope.topic, reason: error.message }, 'not sent');
      return false;
    } finally {
      sending--;
    }
  }

  return {
    open: () => link.open(),
    close() {
      closing = true;
      return link.close();
    },
    get online() {
      return link.online;
    },
    send(message, terminalId, body, { foreignAction = false } = {}) {
      const { actionId = null } = body as { actionId?: string };
      const ownActionId = foreignAction ? null : actionId;
      passed?.({ way: 'sent', terminalId, name: message.name, actionId: ownActionId, body });
      return publish(encode(message, terminalId, body));
    },
    publishClock(offsetMs) {
      clockOffsetMs = offsetMs;
      if (link.online) void publish(encodeClock(offsetMs));
    },
    onReport: reports.on,
    onOnline: (run) => void onlineListeners.push(run),
    idle: () => sending === 0 && reports.idle(),
  };
}
