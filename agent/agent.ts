import type { Clock } from '../protocol/clock.ts';
import { messageOf } from '../protocol/failures.ts';
import type { Connector, Link, LinkCredentials, LinkHandlers } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { decodeClock, encode, type Envelope } from '../protocol/message.ts';
import { MachineDescribed } from '../protocol/messages/inspection.messages.ts';
import { Presence } from '../protocol/messages/presence.messages.ts';
import { CLOCK_TOPIC, commandFilter, parseTopic } from '../protocol/topics.ts';
import { createDisplay, type DisplayParts } from './display.ts';
import { ACTION_MACHINE } from './inspection.ts';
import { ActionHost } from './lifecycle/action-host.ts';
import type { ActionJournal } from './lifecycle/action-journal.ts';
import type { ActionStep } from './lifecycle/action-run.ts';
import type { Printer } from './printer.ts';
import { createReaderTrace } from './reader-trace.ts';
import type { Reader } from './readers/reader.ts';
import { screenOf } from './screen.ts';
import type { FrameTrace } from './readers/frame-channel.ts';

export interface AgentParts {
  terminalId: string;
  device: { deviceType: string; firmware: string };
  credentials: LinkCredentials;
  connect: Connector;
  clock: Clock;
  /** Called with the server's clock message: by how much sandbox time is ahead of real time. */
  onClockOffset?: ((offsetMs: number) => void) | undefined;
  reader: Reader;
  printer: Printer;
  journal: ActionJournal;
  log: Log;
  /** Called each time the broker refuses the terminal's credentials, with its reason. */
  onRefused?: ((reason: string) => void) | undefined;
  /** Called whenever the display changes. */
  onScreen?: ((lines: string[]) => void) | undefined;
  /** Called after each step of an action, when the journal is saved and before anything is done about it. */
  onStep?: ((step: ActionStep) => void) | undefined;
}

/** A terminal's firmware: the link to the server, the action under way, the reader, the printer, the display. */
export interface Agent {
  /** Takes up what the journal holds and opens the link. */
  start(): void;
  /** Says that the terminal goes offline, and resolves when the link is closed. The journal stays as it is. */
  stop(): Promise<void>;
  /** As if the plug were pulled: nothing is saved or said, and this agent is dead. */
  powerCut(): void;
  /** Drops the connection as a pulled cable does, until `networkRestored`. */
  networkCut(): void;
  networkRestored(): void;
  /** A frame passed on the line to the reader: told to the server, masked. */
  trace: FrameTrace;
  readonly online: boolean;
  readonly screen: string[];
  /** The action under way; empty when there is none. */
  readonly status: { actionId?: string; state?: string };
}

export function createAgent(given: AgentParts): Agent {
  const { terminalId } = given;
  const parts = { ...given, log: given.log.child({ terminalId }) };
  const off = encode(Presence, terminalId, { online: false });
  let over = false;
  const unlessOver = (run: () => void) => {
    if (!over) run();
  };

  const link = connectAs(parts, off, {
    online: () =>
      unlessOver(() => {
        introduction(parts).forEach(say);
        host.online();
        display.connected();
        display.show();
      }),
    offline: () => unlessOver(() => display.show()),
    message: (topic, payload) => unlessOver(() => receive(parts, host, topic, payload)),
    refused: (reason) => unlessOver(() => parts.onRefused?.(reason)),
  });
  const publish = async (envelope: Envelope) => {
    if (!over) await link.publish(envelope);
  };
  const host = new ActionHost({
    ...parts,
    isOnline: () => link.online,
    publish,
    onStep: (step) => {
      parts.log.debug(step, 'step');
      parts.onStep?.(step);
      display.show();
    },
  });
  const look = () => screenOf(host.snapshot, link.online);
  const say = (envelope: Envelope) => void publish(envelope).catch(ignore);
  const isOnline = () => link.online && !over;
  const { display, trace } = inspectionOf(parts, { terminalId, isOnline, publish: say }, host, look);

  return {
    start() {
      host.resume();
      display.show();
      link.open();
    },
    async stop() {
      if (over) return;
      over = true;
      host.stop();
      await link.publish(off).catch(ignore);
      await link.close();
    },
    powerCut() {
      over = true;
      host.stop();
      link.drop();
    },
    trace,
    networkCut: () => link.drop(),
    networkRestored: () => unlessOver(() => link.open()),
    get online() {
      return link.online;
    },
    get screen() {
      return look();
    },
    get status() {
      return host.status;
    },
  };
}

/** The link of a terminal, which hears its commands and the clock. */
function connectAs(parts: AgentParts, will: Envelope, handlers: LinkHandlers): Link {
  const { connect, credentials, terminalId } = parts;
  const subscriptions = [commandFilter('terminals', terminalId), CLOCK_TOPIC];
  return connect({ credentials, subscriptions, will, handlers });
}

/** What is told for who looks closer: the display, and the line to the reader. */
function inspectionOf(
  { clock, onScreen }: AgentParts,
  way: Pick<DisplayParts, 'terminalId' | 'isOnline' | 'publish'>,
  host: ActionHost,
  look: () => string[],
) {
  const shown = () => host.snapshot?.context.start.actionId;
  const running = () => host.status.actionId;
  return {
    display: createDisplay({ ...way, look, actionId: shown, onScreen }),
    trace: createReaderTrace({ ...way, clock, actionId: running }),
  };
}

/** What a terminal says of itself, retained, each time it comes online. */
function introduction({ terminalId, device, reader }: AgentParts): Envelope[] {
  return [
    encode(Presence, terminalId, { online: true, ...device, reader: reader.name }),
    encode(MachineDescribed, terminalId, ACTION_MACHINE),
  ];
}

/** A connection that ends before it has taken a message says so by itself, and the next one begins anew. */
function ignore(): void {}

/** Whatever arrives, the terminal stays up: a message that cannot be used is logged and dropped. */
function receive(parts: AgentParts, host: ActionHost, topic: string, payload: Uint8Array): void {
  try {
    if (topic === CLOCK_TOPIC) return parts.onClockOffset?.(decodeClock(payload).offsetMs);
    const address = parseTopic(topic);
    if (address?.audience !== 'terminals' || address.terminalId !== parts.terminalId) return;
    if (address.channel === 'commands') host.command(address.message, payload);
  } catch (error) {
    parts.log.warn({ topic, problem: messageOf(error) }, 'a message that cannot be used');
  }
}
