import { createFrameMask } from '../../../agent/readers/frame-mask.ts';
import { acceptAnyCard } from '../../../agent/readers/card-policy.ts';
import type { DriverParts } from '../../../agent/readers/driver.ts';
import { findDriver } from '../../../agent/readers/drivers.ts';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import type { CardRequest, DeviceReversal, Reader, ReaderEvent } from '../../../agent/readers/reader.ts';
import { Fault } from '../../../protocol/failures.ts';
import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { createLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { memoryOf, sumMinor } from '../../../simulator/twins/stand-alone/journal.ts';
import { createCardTray, type TwinModule } from '../../../simulator/twins/twin.ts';
import { findTwin } from '../../../simulator/twins/twins.ts';
import { turn, VirtualClock } from '../../../world/virtual-clock.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { findCardNumbers } from '../card-numbers.ts';
import { tlsOver } from '../../../world/till-driver.ts';
import { createMutatedLine, type Direction, type MutationPlan } from './mutated-line.ts';
import type { LineLanguage } from './languages.ts';
import { MUTATIONS } from './mutations.ts';

/** What the cardholder does. */
const STORIES = ['pays', 'pays', 'pays', 'is declined', 'presses cancel'] as const;
type Story = (typeof STORIES)[number];

/** What was told of a payment: the last outcome that a driver reported. */
type Told = 'paid' | 'not paid' | 'unknown' | 'nothing';

interface MutatedPayment {
  /** Rules that did not hold; none when all did. */
  broken: string[];
  told: Told;
  /** What was done to which message, for a failing test. */
  plan: MutationPlan | undefined;
  counts: Record<Direction, number>;
  /** Messages that did not arrive as they were sent, or when. */
  struck: number;
  /** Log, trace, events and the timeline of the terminal. */
  shown: string;
}

const EURO = { code: 'EUR', number: '0978' };
const TOLD: Partial<Record<ReaderEvent['type'], Told>> = {
  'device.approved': 'paid',
  'device.declined': 'not paid',
  'cancel.pressed': 'not paid',
  'reader.failed': 'not paid',
  'device.unknown': 'unknown',
};
/** Longer than the most patient driver waits for an answer, and asks for one. */
const PATIENCE_MS = 1_300_000;
const STEP_MS = 1_000;
/** Reversals that a driver makes by itself are done by then. */
const SETTLE_MS = 1_800_000;
/** Turns of the event loop in which bytes pass through TLS and HTTP. */
const TLS_TURNS = 12;

async function turns(): Promise<void> {
  for (let count = 0; count < TLS_TURNS; count += 1) await turn();
}

/**
 * Takes a payment over a line that mutates messages, then one over a right line at the same terminal.
 * @param plan none for a right line throughout
 */
export async function payOverMutatedLine(
  language: LineLanguage,
  seed: string,
  plan: MutationPlan | undefined,
): Promise<MutatedPayment> {
  const random = seededRandom(`${language.name} ${seed}`);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const bench = await openBench(language, seed, plan);
  const { reader, tray, line, clock } = bench;
  const broken: string[] = [];
  const check = (holds: boolean, rule: string) => void (holds || broken.push(rule));
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', onRejected);
  try {
    const story = plan ? STORIES[below(STORIES.length)]! : 'pays';
    const amountMinor = 1_000 + below(900);
    const told = await bench.pay({ amountMinor, story, number: 1 });
    check(told !== 'nothing', `the driver has said nothing after ${PATIENCE_MS / 1_000} s`);
    reader.end();
    tray.remove();
    await clock.advance(SETTLE_MS);
    const taken = bench.takenMinor();
    // Nobody can tell a message from another that is as right.
    const mayBeWrong = line.forged;
    if (told === 'paid' && !mayBeWrong)
      check(taken === amountMinor, `it is told as paid, and ${taken} are taken`);
    if (told === 'not paid' && !mayBeWrong)
      check(taken === 0, `it is told as not paid, and ${taken} are taken`);
    if (!mayBeWrong) {
      check([0, amountMinor].includes(taken), `of ${amountMinor} there are ${taken} taken`);
      const isLeftToPerson = bench.reversals.some(({ outcome }) => outcome === 'NotReversed');
      if (told === 'unknown' && taken > 0)
        check(isLeftToPerson, `its outcome is told as unknown, ${taken} are taken, and nobody hears of it`);
    }
    line.stop();
    await bench.reset();
    const again = await bench.pay({ amountMinor: 777, story: 'pays', number: 2 });
    check(again === 'paid', `the next payment over a right line is ${again}`);
    check(
      bench.takenMinor() - taken === 777,
      `of the next payment ${bench.takenMinor() - taken} of 777 are taken`,
    );
    await bench.close();
    check(clock.due.length === 0, `${clock.due.length} timers are left`);
    check(rejected.length === 0, `unhandled: ${String(rejected[0])}`);
    const cards = findCardNumbers(bench.output());
    check(cards.length === 0, `the output has card numbers: ${cards.join(', ')}`);
    const timeline = memoryOf(tray).timeline.map(({ event, state }) => `${event} -> ${state}`);
    const shown = `${bench.output()}\n${timeline.join('\n')}`;
    return { broken, told, plan, counts: line.counts, struck: line.struck, shown };
  } finally {
    process.off('unhandledRejection', onRejected);
  }
}

/** Chooses what is done to which messages of an exchange with this many. */
export function planOf(seed: string, direction: Direction, messages: number): MutationPlan {
  const random = seededRandom(`plan ${direction} ${seed}`);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const first = below(messages);
  // Now and then all from there on.
  const places = below(8) === 0 ? Array.from({ length: 200 }, (_, index) => first + index) : [first];
  return { direction, places, mutation: MUTATIONS[below(MUTATIONS.length)]! };
}

interface Payment {
  amountMinor: number;
  story: Story;
  number: number;
}

/** Driver and twin at the two ends of a line, in virtual time. */
async function openBench(language: LineLanguage, seed: string, plan: MutationPlan | undefined) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12), language.overTls ? turns : turn);
  const tray = createCardTray();
  const twinModule: TwinModule = await findTwin(language.driver)!.load();
  const written: string[] = [];
  const log = createLog({ level: 'trace', destination: { write: (text) => void written.push(text) } });
  const line = createMutatedLine({ clock, random: seededRandom(`line ${seed}`), form: language.form, plan });
  const masks = { out: createFrameMask(), in: createFrameMask() };
  const reversals: DeviceReversal[] = [];
  const events: ReaderEvent[] = [];
  const cables = new Set<BytePort>();
  let plugged = true;
  const parts: DriverParts = {
    async open() {
      if (!plugged) throw new Fault('reader', 'the cable is out');
      const [ours, device] = bytePipe({ clock, latencyMs: 1, path: language.path });
      cables.add(device);
      device.onClose(() => cables.delete(device));
      const port = { ...device, path: language.path };
      twinModule.createTwin({ port, clock, random: seededRandom(`twin ${seed}`), log, tray });
      const plain = language.overTls ? await tlsOver(ours) : ours;
      return { ...line.wrap(plain), isLocal: true };
    },
    clock,
    random: seededRandom(`driver ${seed}`),
    log,
    pinPad: { requestPin: async () => undefined, onCancel() {} },
    protection: {
      transaction: () => {
        throw new Fault('internal', 'a payment terminal protects its cards itself');
      },
    },
    cards: acceptAnyCard,
    countryCode: '0250',
    terminalSettings: language.settings,
    trace: (direction, bytes, note) => void written.push(`${masks[direction](bytes)} ${note ?? ''}`),
    onReversal: (reversal) => void reversals.push(reversal),
  };
  const reader: Reader = (await findDriver(language.driver)!.load()).createReader(parts);
  const unplug = async () => {
    for (const cable of cables) await cable.close();
    await clock.advance(10);
  };
  return {
    clock,
    tray,
    reader,
    line,
    reversals,
    takenMinor: () => sumMinor(memoryOf(tray).journal, EURO.number),
    output: () => [...written, JSON.stringify([events, reversals])].join('\n'),
    /** Takes a payment, and waits for what is told of it. */
    async pay({ amountMinor, story, number }: Payment): Promise<Told> {
      const request: CardRequest = {
        actionId: `act_0000000000000000000000000${number}`,
        type: 'Payment',
        amountMinor: story === 'is declined' ? amountMinor - (amountMinor % 1_000) + 905 : amountMinor,
        currency: EURO.code,
      };
      let told: Told = 'nothing';
      if (story !== 'presses cancel') tray.insert(createChipCard('visa-contactless')!);
      reader.begin(request, (event) => {
        events.push(event);
        told = TOLD[event.type] ?? told;
        if (event.type === 'device.ready') reader.sendToDevice?.();
      });
      reader.awaitCard();
      const controls = twinModule.controlsOf?.(tray);
      for (let ms = 0; ms < PATIENCE_MS && told === 'nothing'; ms += STEP_MS) {
        await clock.advance(STEP_MS);
        if (story === 'presses cancel' && ms % 30_000 === 5_000) controls?.['cancel']!.run();
      }
      return told;
    },
    /** Pulls the cable, and plugs it in again. */
    async reset() {
      plugged = false;
      await unplug();
      await clock.advance(60_000);
      plugged = true;
    },
    async close() {
      reader.end();
      await Promise.all([reader.close(), clock.advance(60_000)]);
      await unplug();
      await clock.advance(SETTLE_MS);
    },
  };
}
