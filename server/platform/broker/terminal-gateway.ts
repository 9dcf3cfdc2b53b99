import type { Pace } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { Connector, Link, LinkCredentials } from '../../../protocol/link.ts';
import type { Log } from '../../../protocol/log.ts';
import { encode, encodeClock, type Envelope } from '../../../protocol/message.ts';
import { SERVER_FILTERS } from '../../../protocol/topics.ts';
import { createMessagePasser } from '../faults/struck-messages.ts';
import type { FaultPlans } from '../faults/fault-plans.ts';
import { strangeCommands, type StrangeFault } from '../faults/strange-commands.ts';
import { createReportIntake, type OwnsAction, type TransmittedMessage } from './report-intake.ts';
import type { Gateway } from '../gateway.ts';
import type { RefusedMessage } from '../activities.ts';

interface GatewayOptions {
  connect: Connector;
  credentials: LinkCredentials;
  log: Log;
  /** Reports of one terminal that may wait to be handled; 1,000. Later ones are dropped, so that a terminal that floods
   * does not fill the memory; a terminal repeats reports that matter. */
  waitingMax?: number;
  /** Bytes of them; 1 MiB. */
  waitingBytesMax?: number;
  ownsAction: OwnsAction;
  /** Called for each message that is sent, and for each valid one that is received. */
  onMessage?(message: TransmittedMessage): void;
  /** Called for each report that is dropped. */
  onRefused?(refused: RefusedMessage): void;
  /** How fast simulated terminals are to act; read whenever the clock is published. `real` by default. */
  pace?(): Pace;
  /** How long the broker may take to notice that a terminal is gone, milliseconds; none by default. */
  lossDetectedMs?: number;
  /** The faults that strike messages; none by default. */
  faults?: FaultPlans | undefined;
  /** Takes a terminal off the network, where a fault says so. */
  cutNetwork?(terminalId: string): void;
  /** Keeps the terminals of the sandbox from the broker, or admits them again. An external broker keeps none. */
  keepFromBroker?: ((isAway: boolean) => void) | undefined;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { connect, credentials, log, ownsAction, onMessage, onRefused } = options;
  const passMessage = createMessagePasser({ ...options, takeBrokerAway });
  const intake = { log, limits: limitsOf(options), ownsAction, onMessage, onRefused };
  const reports = createReportIntake({ ...intake, passMessage });
  const onlineListeners: (() => void)[] = [];
  const { publish, isSending } = createPublisher(() => link, log);
  const sendCommand = createCommandSender(passMessage, publish);
  const clock = createClockPublisher({ ...options, isOnline: () => link.online, publish });
  let closing = false;
  let isKeptAway = false;

  const link: Link = connect({
    credentials,
    subscriptions: SERVER_FILTERS,
    handlers: {
      online() {
        log.info('connected to the broker');
        clock.send();
        for (const run of onlineListeners) run();
      },
      offline: () => {
        if (!closing) log.warn('disconnected from the broker');
      },
      message: reports.receive,
    },
  });

  function takeBrokerAway(delayMs: number): void {
    isKeptAway = true;
    link.drop();
    options.keepFromBroker?.(true);
    options.faults!.later(delayMs, open);
  }

  function open(): void {
    isKeptAway = false;
    if (closing) return;
    options.keepFromBroker?.(false);
    link.open();
  }

  return {
    open,
    close() {
      closing = true;
      return link.close();
    },
    get online() {
      return link.online;
    },
    lossDetectedMs: options.lossDetectedMs ?? 0,
    get isKeptAway() {
      return isKeptAway;
    },
    send(message, terminalId, body, { foreignAction = false } = {}) {
      const { actionId = null } = body as { actionId?: string };
      const ownActionId = foreignAction ? null : actionId;
      onMessage?.({ direction: 'sent', terminalId, name: message.name, actionId: ownActionId, body });
      if (message.audience !== 'terminals') return publish(encode(message, terminalId, body));
      return sendCommand({ message, terminalId, body, actionId });
    },
    publishClock: clock.set,
    onReport: reports.on,
    onOnline: (run) => void onlineListeners.push(run),
    idle: () => !isSending() && reports.idle(),
  };
}

function limitsOf({ waitingMax = 1_000, waitingBytesMax = 1024 * 1024 }: GatewayOptions) {
  return { waitingMax, bytesMax: waitingBytesMax };
}

/** Creates what sends a terminal a command, unless a fault strikes it. */
function createCommandSender(
  passMessage: ReturnType<typeof createMessagePasser>,
  publish: (envelope: Envelope) => Promise<boolean>,
) {
  return (command: Parameters<typeof strangeCommands>[1]): Promise<boolean> => {
    const { message, terminalId, body, actionId } = command;
    // Of a message that the network loses the sender knows nothing.
    let sent = Promise.resolve(true);
    const pass = (...envelopes: Envelope[]) => {
      for (const envelope of envelopes) sent = publish(envelope);
    };
    const passStrangely = (what: StrangeFault) => pass(...strangeCommands(what, command));
    passMessage({ at: 'message.command', terminalId, name: message.name, actionId, passStrangely }, () =>
      pass(encode(message, terminalId, body)),
    );
    return sent;
  };
}

/** Creates what publishes the clock of the sandbox: when it changes, and after each connection. */
function createClockPublisher({
  pace = () => 'real',
  isOnline,
  publish,
}: Pick<GatewayOptions, 'pace'> & { isOnline(): boolean; publish(envelope: Envelope): Promise<boolean> }) {
  let offsetMs: number | undefined;
  const send = () => {
    if (offsetMs !== undefined && isOnline()) void publish(encodeClock({ offsetMs, pace: pace() }));
  };
  return {
    send,
    set(changedMs: number): void {
      offsetMs = changedMs;
      send();
    },
  };
}

/** Creates the function that publishes and resolves with whether the broker took the message. */
function createPublisher(link: () => Link, log: Log) {
  let sending = 0;
  return {
    isSending: () => sending > 0,
    async publish(envelope: Envelope): Promise<boolean> {
      sending++;
      try {
        await link().publish(envelope);
        return true;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        log.warn({ topic: envelope.topic, reason: error.message }, 'not sent');
        return false;
      } finally {
        sending--;
      }
    },
  };
}
