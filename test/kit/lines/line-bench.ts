import { createFrameMask } from '../../../agent/readers/frame-mask.ts';
import { DEVICE_PROTECTION } from '../device-protection.ts';
import type { DriverParts } from '../../../agent/readers/driver.ts';
import { findDriver } from '../../../agent/readers/drivers.ts';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import type { CardRequest, DeviceReversal, Reader, ReaderEvent } from '../../../agent/readers/reader.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { createLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { memoryOf, sumMinor } from '../../../simulator/twins/stand-alone/journal.ts';
import { createCardTray, type TwinModule } from '../../../simulator/twins/twin.ts';
import { findTwin } from '../../../simulator/twins/twins.ts';
import { turn, VirtualClock } from '../../../world/virtual-clock.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { createTwinWithoutTls } from '../../../simulator/twins/nexo.twin.ts';
import { createMutatedLine, type MutationPlan } from './mutated-line.ts';
import type { LineLanguage } from './languages.ts';

/** What the cardholder does. */
export const STORIES = ['pays', 'pays', 'pays', 'is declined', 'presses cancel'] as const;
type Story = (typeof STORIES)[number];

/** What was told of a payment: the last outcome that a driver reported. */
export type Told = 'paid' | 'not paid' | 'unknown' | 'nothing';

const EURO = { code: 'EUR', number: '0978' };
const TOLD: Partial<Record<ReaderEvent['type'], Told>> = {
  'device.approved': 'paid',
  'device.declined': 'not paid',
  'cancel.pressed': 'not paid',
  'reader.failed': 'not paid',
  'device.unknown': 'unknown',
};
/** Longer than the most patient driver waits for an answer, and asks for one. */
export const PATIENCE_MS = 1_300_000;
const STEP_MS = 1_000;
/** Reversals that a driver makes by itself are done by then. */
export const SETTLE_MS = 1_800_000;
const BUSY = 'the terminal has not answered an earlier request yet';
/** Turns of the event loop in which bytes pass through HTTP. */
const HTTP_TURNS = 12;

async function turns(): Promise<void> {
  for (let count = 0; count < HTTP_TURNS; count += 1) await turn();
}

interface Payment {
  amountMinor: number;
  story: Story;
  number: number;
}

/** Driver and twin at the two ends of a line, in virtual time. */
export async function openLineBench(language: LineLanguage, seed: string, plan: MutationPlan | undefined) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12), language.overHttp ? turns : turn);
  const tray = createCardTray();
  const twinModule: TwinModule = await findTwin(language.driver)!.load();
  // Messages are mutated inside TLS, whose handshakes would take most of the time.
  const createTwin = language.driver === 'nexo' ? createTwinWithoutTls : twinModule.createTwin;
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
      createTwin({ port, clock, random: seededRandom(`twin ${seed}`), log, tray });
      return { ...line.wrap(ours), isLocal: true };
    },
    clock,
    random: seededRandom(`driver ${seed}`),
    log,
    ...DEVICE_PROTECTION,
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
    /** What the terminal has taken, or its transactions of this amount. */
    takenMinor(amountMinor?: number) {
      const { journal } = memoryOf(tray);
      const isAsked = (made: { amountMinor: number }) =>
        amountMinor === undefined || made.amountMinor === amountMinor;
      return sumMinor(journal.filter(isAsked), EURO.number);
    },
    /** Whether the driver refused the last payment, since it waits for the outcome of an earlier one. */
    isBusyWithEarlier: () => {
      const last = events.at(-1);
      return last?.type === 'reader.failed' && last.reason === BUSY;
    },
    output: () => [...written, JSON.stringify([events, reversals])].join('\n'),
    timeline: () =>
      memoryOf(tray)
        .timeline.map(({ event, state }) => `${event} -> ${state}`)
        .join('\n'),
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
