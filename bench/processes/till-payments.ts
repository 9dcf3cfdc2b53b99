import { SystemClock } from '../../protocol/clock.ts';
import { createIds, systemRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import type { FrameTrace } from '../../agent/readers/frame-channel.ts';
import type { Reader } from '../../agent/readers/reader.ts';
import { findTwin } from '../../simulator/twins/twins.ts';
import { TwinReader } from '../../simulator/twin-reader.ts';
import { loadTill } from '../../world/till-driver.ts';
import { cpuMsOfProcess, handleParentRequests } from './parent-requests.ts';
import { replayConversation, type Conversation } from './replayed-conversation.ts';

export interface TillsOrder {
  language: string;
  /** What the driver is told of the terminal in place of what `up --twin` tells it. */
  terminalSettings?: object | undefined;
  /** Whether the terminal is reached in a network, where there are those of its language with a serial line too. */
  inNetwork?: true | undefined;
  /** Terminals that take a payment at the same time. */
  terminals: number;
}

interface OpenTill {
  pay(): Promise<void>;
  close(): Promise<void>;
}

const clock = new SystemClock();
const ids = createIds(clock, systemRandom);
const CARD = 'visa-contactless';

let tills: OpenTill[] = [];
/** What driver and terminal say to each other in a payment. */
let conversation: Conversation = [];
let settings: { baudRate?: number; withTls: boolean } = { withTls: false };

handleParentRequests({
  /** Opens tills, each with its terminal beside it as `up --twin` has them, and takes a payment at one. */
  async open({ language, terminalSettings, inNetwork, terminals }: TillsOrder): Promise<void> {
    const entry = findTwin(language)!;
    const loaded = await loadTill(language, terminalSettings);
    const driver = { ...loaded, inNetwork: inNetwork ?? loaded.inNetwork };
    settings = {
      ...(driver.inNetwork ? {} : { baudRate: entry.line.baudRate }),
      withTls: language === 'nexo',
    };
    const twin = { entry, module: await entry.load(), driver };
    const opened = (trace: FrameTrace) => openTill(new TwinReader({ clock, log: silentLog, twin }), trace);
    tills = Array.from({ length: terminals }, () => opened(() => {}));
    const noted: Conversation = [];
    const first = opened((direction, bytes) => void noted.push({ direction, bytes: bytes.slice() }));
    await first.pay();
    await first.close();
    conversation = noted;
  },
  /** Takes a payment at each till at the same time. Returns the CPU time of one, milliseconds. */
  pay: () => cpuMsOf(tills.length, () => Promise.all(tills.map((till) => till.pay()))),
  /** Takes payments at one till, one after the other. Returns the CPU time of one, milliseconds. */
  payAlone: (payments: number) =>
    cpuMsOf(payments, async () => {
      for (let payment = 0; payment < payments; payment += 1) await tills[0]!.pay();
    }),
  /** Carries the bytes of as many payments, between ends that read nothing. Returns the CPU time of one, milliseconds. */
  replay: () =>
    cpuMsOf(tills.length, () =>
      Promise.all(tills.map(() => replayConversation(conversation, { clock, ...settings }))),
    ),
  async close(): Promise<void> {
    for (const till of tills) await till.close();
  },
});

async function cpuMsOf(count: number, run: () => Promise<unknown>): Promise<number> {
  const before = cpuMsOfProcess();
  await run();
  return (cpuMsOfProcess() - before) / count;
}

/** Opens a till beside a terminal. Its driver describes each frame, as it does in `up`. */
function openTill(terminal: TwinReader, trace: FrameTrace): OpenTill {
  const till = terminal.switchOn({
    trace,
    onReversal: ({ reason }) => fail(reason ?? 'a payment was reversed'),
    holdReversal: () => () => {},
  });
  terminal.watch((phase) => phase === 'awaitingCard' && terminal.presentCard(CARD));
  return { pay: () => takePayment(till), close: () => terminal.close() };
}

function takePayment(till: Reader): Promise<void> {
  const request = {
    actionId: ids.make('action'),
    type: 'Payment',
    amountMinor: 1742,
    currency: 'EUR',
  } as const;
  return new Promise((resolve, reject) => {
    till.begin(request, (event) => {
      if (event.type === 'device.ready') return till.sendToDevice?.();
      till.end({ paid: event.type === 'device.approved' });
      if (event.type === 'device.approved') resolve();
      else reject(new Error(`${till.name}: ${event.type} ${'reason' in event ? event.reason : ''}`));
    });
    till.awaitCard();
  });
}

function fail(reason: string): never {
  throw new Error(reason);
}
