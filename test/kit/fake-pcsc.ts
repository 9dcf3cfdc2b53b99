import {
  CODE,
  STATE,
  type PcscInterface,
  type ReaderState,
} from '../../agent/readers/pcsc/pcsc-interface.ts';
import type { CardTechnology } from '../../agent/emv/card-connection.ts';
import { after, type Clock } from '../../protocol/clock.ts';
import { fromHex } from '../../protocol/emv/hex.ts';
import type { ChipSession } from '../../simulator/cards/chip-card.ts';
import { createCardTray, type CardTray } from '../../simulator/twins/twin.ts';

const FAKE_READER = 'Fake Reader 00 00';

interface FakePcscParts {
  clock: Clock;
  tray?: CardTray;
  technology?: CardTechnology;
  /** Answer to reset; by default that of the technology. */
  atr?: string;
}

/** A call of the interface, with what the test may look at. */
interface Call {
  name: keyof PcscInterface;
  command?: Uint8Array;
  share?: number;
  disposition?: number;
}

type Answers = { [N in keyof PcscInterface]?: Partial<Awaited<ReturnType<PcscInterface[N]>>> };

/** The functions of PC/SC with one reader, whose card is that of a tray. A test decides what else they return. */
export function createFakePcsc({
  clock,
  tray = createCardTray(),
  technology = 'Contactless',
  atr,
}: FakePcscParts) {
  const calls: Call[] = [];
  /** What functions return in place of what they would, each until it is deleted. */
  const answers: Answers = {};
  const state = { plugged: true, modules: [] as string[], insertions: tray.card ? 1 : 0 };
  let wake = () => {};
  let session: ChipSession | undefined;
  let lastHandle = 0;
  tray.watch(() => {
    state.insertions += 1;
    session = undefined;
    wake();
  });
  const readerState = (): ReaderState => {
    if (!state.plugged) return { event: STATE.changed | STATE.unavailable, atr: new Uint8Array(0) };
    const here = tray.card ? STATE.present : STATE.empty;
    const own = technology === 'Contact' ? tray.card?.atr : fromHex('3B80800101');
    return {
      event: ((state.insertions << 16) | here | STATE.changed) >>> 0,
      atr: tray.card ? (atr === undefined ? own! : fromHex(atr)) : new Uint8Array(0),
    };
  };
  const run = async <T extends { code: number }>(
    call: Call,
    work: () => T | Promise<T>,
    instead?: Partial<T>,
  ): Promise<T> => {
    calls.push(call);
    const usual = instead?.code === undefined ? await work() : undefined;
    return { ...(usual as T), ...instead };
  };
  const pcsc: PcscInterface = {
    establishContext: () =>
      run(
        { name: 'establishContext' },
        () => ({ code: CODE.ok, context: (lastHandle += 1) }),
        answers.establishContext,
      ),
    releaseContext: () => run({ name: 'releaseContext' }, () => ({ code: CODE.ok })),
    async cancel() {
      wake();
      return { code: CODE.ok };
    },
    listReaders: () =>
      run(
        { name: 'listReaders' },
        () => (state.plugged ? { code: CODE.ok, names: [FAKE_READER] } : { code: CODE.noReaders, names: [] }),
        answers.listReaders,
      ),
    getStatusChange: (_, { current, timeoutMs }) =>
      run(
        { name: 'getStatusChange' },
        async () => {
          if ((readerState().event & ~STATE.changed) >>> 0 !== current >>> 0)
            return { code: CODE.ok, ...readerState() };
          const why = await new Promise<'woken' | 'timeout'>((resolve) => {
            const timer = after(clock, timeoutMs, () => resolve('timeout'));
            wake = () => {
              timer.cancel();
              resolve('woken');
            };
          });
          const changed = (readerState().event & ~STATE.changed) >>> 0 !== current >>> 0;
          const code = why === 'timeout' ? CODE.timeout : changed ? CODE.ok : CODE.cancelled;
          return { code, ...readerState() };
        },
        answers.getStatusChange,
      ),
    connect: (_, { share }) =>
      run(
        { name: 'connect', share },
        () => {
          session = tray.card?.powerOn(technology);
          const code = session ? CODE.ok : CODE.noCard;
          return { code, card: (lastHandle += 1), protocol: technology === 'Contact' ? 1 : 2 };
        },
        answers.connect,
      ),
    disconnect: (_, disposition) =>
      run({ name: 'disconnect', disposition }, () => ({ code: CODE.ok }), answers.disconnect),
    transmit: (_, __, command) =>
      run(
        { name: 'transmit', command },
        async () => {
          const before = state.insertions;
          const answer = await session?.transceive(command);
          if (!answer || state.insertions !== before)
            return { code: CODE.removedCard, answer: new Uint8Array(0) };
          return { code: CODE.ok, answer };
        },
        answers.transmit,
      ),
    blockingModules: async () => state.modules,
  };
  return {
    pcsc,
    tray,
    calls,
    answers,
    state,
    port: { reader: '', load: async () => pcsc },
    unplug() {
      state.plugged = false;
      wake();
    },
    plugIn: () => void (state.plugged = true),
    names: () => calls.map(({ name }) => name),
  };
}
