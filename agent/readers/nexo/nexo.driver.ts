import { isCurrency } from '../../../protocol/money.ts';
import { runChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import { createTillReader } from '../till/till-reader.ts';
import { createNexoCodec } from './message.ts';
import { nexoSession, openNexoTerminal, requireReady } from './session.ts';
import { readSettings } from './settings.ts';
import { createFrameWords } from './frame-words.ts';

/** Driver for payment terminals with nexo Sale-to-POI as JSON, in the form of Adyen, over TLS. */
export const driver: DriverModule = {
  createReader(parts) {
    const { nexo, newServiceId } = nexoOf(parts);
    return createTillReader(parts, {
      name: 'nexo',
      refuse: refuseRequest,
      open: () => openNexoTerminal(nexo, newServiceId),
      // A terminal that still has the payment reports no readiness.
      openToAsk: async () => nexoSession(nexo, newServiceId),
    });
  },
  diagnose,
  frameWords: ({ terminalSettings }) => createFrameWords(terminalSettings),
};

function refuseRequest({ currency }: CardRequest): string | undefined {
  return isCurrency(currency) ? undefined : `currency: ${currency} has no decimals that are known`;
}

function nexoOf(parts: DriverParts) {
  const settings = readSettings(parts.terminalSettings);
  const codec = createNexoCodec(settings, (count) => parts.random.bytes(count));
  const newServiceId = () => Buffer.from(parts.random.bytes(5)).toString('hex').toUpperCase();
  return { nexo: { ...parts, codec, host: settings.poiId }, newServiceId };
}

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const allowRealTerminal = parts.allowRealTerminal ?? true;
  yield* runChecks([
    {
      step: 'settings',
      advice: 'see docs/readers/nexo.md',
      async run() {
        const { poiId, key } = readSettings(parts.terminalSettings);
        return `terminal ${poiId}, ${key ? 'encrypted' : 'in clear, which terminals take in tests alone'}`;
      },
    },
    {
      step: 'diagnosis',
      advice:
        'is the terminal on, in this network, and are passphrase and key those of its settings? Used with --allow-real-terminal only if real money may move',
      async run() {
        const { nexo, newServiceId } = nexoOf({ ...parts, allowRealTerminal });
        await requireReady(nexo, newServiceId());
        return 'ready';
      },
    },
  ]);
}
