import { once } from 'node:events';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import type { BytePort } from '../agent/readers/byte-port.ts';
import { withFrameWords } from '../agent/reader-trace.ts';
import { acceptTestCards } from '../agent/readers/card-policy.ts';
import type { CardProtection } from '../agent/readers/card-protection.ts';
import { findDriver } from '../agent/readers/drivers.ts';
import { memoryPendingReversals } from '../agent/readers/pending-reversal-store.ts';
import { Fault } from '../protocol/failures.ts';
import { createSimulatedPinPad } from '../simulator/pin-pad.ts';
import type { TillDriver } from '../simulator/twin-reader.ts';
import { portStream, streamPort } from '../simulator/twins/device-port.ts';

/** ISO 3166-1 numeric: the United Kingdom, as the default location. */
const COUNTRY_CODE = '826';

/** What the driver of a twin has to know of it besides its address. */
export const TWIN_SETTINGS: Record<string, object | undefined> = {
  nexo: {
    poiId: 'P400Plus-123456789',
    passphrase: 'tapbench-local-passphrase',
    keyIdentifier: 'tapbench',
    keyVersion: 1,
  },
};

/** A payment terminal reads the card by itself, and its till gets masked numbers alone. */
const NO_CARD_DATA: CardProtection = {
  transaction() {
    throw new Fault('internal', 'the till of a stand-alone terminal has no card data');
  },
};

/**
 * Loads the driver with which an agent is the till of the twin of a language.
 * @param terminalSettings what the driver is told of the twin
 * @throws Fault `bad_setting` for a language that there is not.
 */
export async function loadTill(
  language: string,
  terminalSettings = TWIN_SETTINGS[language],
): Promise<TillDriver> {
  const row = findDriver(language);
  if (row?.authoriser !== 'device') throw new Fault('bad_setting', `there is no till for '${language}'`);
  const driver = await row.load();
  const pendingReversals = memoryPendingReversals();
  return {
    title: row.title.split(',', 1)[0]!,
    inNetwork: row.needsNetwork ?? false,
    createReader: ({ open, trace, ...parts }) =>
      driver.createReader({
        ...parts,
        trace: withFrameWords(trace, driver, { terminalSettings }),
        open: row.overTls ? async (settings) => tlsOver(await open(settings)) : open,
        pinPad: createSimulatedPinPad(),
        protection: NO_CARD_DATA,
        cards: acceptTestCards,
        countryCode: COUNTRY_CODE,
        terminalSettings,
        pendingReversals,
      }),
  };
}

/** Of all connections: creating one takes longer than a handshake. */
let context: SecureContext | undefined;

/** Encrypts a connection of this process with TLS. Resolves after the handshake with the device at its other end. */
export async function tlsOver(port: BytePort): Promise<BytePort> {
  context ??= createSecureContext();
  const socket = connect({
    socket: portStream(port),
    rejectUnauthorized: false,
    secureContext: context,
  });
  await once(socket, 'secureConnect');
  return { ...port, ...streamPort(port.path, socket) };
}
