import type { TerminalKeys } from '../protocol/terminal-keys.ts';
import { createAgent, type Agent, type AgentParts } from './agent.ts';
import { withFrameWords } from './reader-trace.ts';
import { createDukptProtection, type KeyCounterStore } from './readers/card-protection.ts';
import type { DriverModule, DriverParts } from './readers/driver.ts';
import type { DeviceReversal } from './readers/reader.ts';

interface ReaderTerminalParts
  extends
    Omit<AgentParts, 'reader' | 'device'>,
    Omit<DriverParts, 'protection' | 'trace' | 'onReversal' | 'holdReversal'> {
  driver: DriverModule;
  /** Title for `device.type` in the API. */
  title: string;
  keys: TerminalKeys;
  /** Stores the DUKPT counter of the keys. */
  counter: KeyCounterStore;
}

/** A terminal with a reader driver. */
interface ReaderTerminal {
  readonly agent: Agent;
  /** Publishes that the terminal is offline, and closes the reader. */
  close(): Promise<void>;
}

/** Creates an agent with a reader driver. Opens nothing before `agent.start()`. */
export function createReaderTerminal(parts: ReaderTerminalParts): ReaderTerminal {
  const { driver, title, keys, counter, random } = parts;
  const protection = createDukptProtection({ keys, counter, random });
  // The connection opens after the agent has started, so `agent` is defined at the first frame.
  const trace = withFrameWords((...frame) => agent.trace(...frame), driver, parts);
  const onReversal = (reversal: DeviceReversal) => agent.reportReversal(reversal);
  const holdReversal = (reversal: DeviceReversal) => agent.holdReversal(reversal);
  const reader = driver.createReader({ ...parts, protection, trace, onReversal, holdReversal });
  const device = { deviceType: deviceTypeOf(title), firmware: 'tapbench' };
  const agent: Agent = createAgent({ ...parts, reader, device });
  return {
    agent,
    async close() {
      reader.beforeStop?.();
      await agent.stop();
      await reader.close();
    },
  };
}

/** Returns the title up to its first comma, limited to the length that the presence message allows. */
function deviceTypeOf(title: string): string {
  return title.split(',', 1)[0]!.slice(0, DEVICE_TYPE_LETTERS_MAX);
}

const DEVICE_TYPE_LETTERS_MAX = 50; // protocol/messages/presence.messages.ts
