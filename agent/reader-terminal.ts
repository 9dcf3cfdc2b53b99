import type { TerminalKeys } from '../protocol/terminal-keys.ts';
import { createAgent, type Agent, type AgentParts } from './agent.ts';
import type { KeyCounterStore } from './readers/key-counter-store.ts';
import type { DriverModule, DriverParts } from './readers/driver.ts';
import { createDukptProtection } from './readers/dukpt-protection.ts';
import type { FrameTrace } from './readers/frame-channel.ts';

interface ReaderTerminalParts
  extends Omit<AgentParts, 'reader' | 'device'>, Omit<DriverParts, 'protection' | 'trace'> {
  driver: DriverModule;
  /** What it is called in the API's `device.type`. */
  title: string;
  keys: TerminalKeys;
  /** How far the keys are used. */
  counter: KeyCounterStore;
}

/** A terminal whose cards come in by a driver. */
interface ReaderTerminal {
  readonly agent: Agent;
  /** Says that the terminal goes offline, and lets go of the line. */
  close(): Promise<void>;
}

/** Puts a driver under an agent; nothing is opened before `agent.start()`. */
export function createReaderTerminal(parts: ReaderTerminalParts): ReaderTerminal {
  const { driver, title, keys, counter, random } = parts;
  const protection = createDukptProtection({ keys, counter, random });
  // The line is opened when the agent works, so the agent is there by the time of the first frame.
  const trace: FrameTrace = (...frame) => agent.trace(...frame);
  const reader = driver.createReader({ ...parts, protection, trace });
  const device = { deviceType: deviceTypeOf(title), firmware: 'tapbench' };
  const agent: Agent = createAgent({ ...parts, reader, device });
  return {
    agent,
    async close() {
      await agent.stop();
      await reader.close();
    },
  };
}

/** The device alone: what its title says after a comma is about its use. A longer one makes presence unreadable. */
function deviceTypeOf(title: string): string {
  return title.split(',', 1)[0]!.slice(0, DEVICE_TYPE_LETTERS_MAX);
}

const DEVICE_TYPE_LETTERS_MAX = 50; // protocol/messages/presence.messages.ts
