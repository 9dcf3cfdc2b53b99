import { createPn532Field } from './field.ts';
import {
  AUTOMATIC_ATR_RES,
  AUTOMATIC_RATS,
  COMMAND,
  CONFIGURATION,
  ENDLESS_RETRIES,
  STATUS,
  TARGET_HEAD_BYTES,
} from './frames.ts';
import type { Answer, Pn532FieldParts } from './target.ts';

/** What the chip says: data beginning with the code of the answer. */
type ChipAnswer =
  | {
      data: Uint8Array;
      sleep?: boolean;
      /** The rate of the line from when the host has acknowledged the answer. */
      baudRate?: number | undefined;
    }
  | 'refused'
  | 'stopped';

// A PN532 of firmware 1.6 that supports ISO/IEC 14443 A and B and ISO/IEC 18092 (UM0701-02 §7.2.2).
const FIRMWARE = [0x32, 0x01, 0x06, 0x07];

/** The rates that the byte of SetSerialBaudRate names (UM0701-02 §7.2.8). */
const BAUD_RATES = [9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000];

type Run = (given: Uint8Array, stopped: () => boolean) => Answer | Promise<Answer>;

/** What the chip does, apart from its line: its commands (UM0701-02 §7). */
export function createPn532Chip(parts: Pn532FieldParts) {
  const field = createPn532Field(parts);
  const { target } = field;
  const registers = new Map<number, number>();
  const settings = factorySettings();
  const release: Run = () => {
    target.forget();
    return [0];
  };
  const inContext: Run = () => [field.targets[0] ? 0 : STATUS.context];

  const runs: Record<number, Run> = {
    [COMMAND.diagnose]: ([test, ...more]) => {
      // 00 sends back what it got; 06 asks whether the card is still there (§7.2.1).
      if (test === 0x00) return [0, ...more];
      return [test === 0x06 && !field.targets[0] ? STATUS.timeout : 0];
    },
    [COMMAND.getFirmwareVersion]: () => FIRMWARE,
    [COMMAND.getGeneralStatus]: () => [0, 0, ...field.targets, 0x80],
    [COMMAND.readRegister]: (addresses) => addressed(addresses, 2).map(([at]) => registers.get(at!) ?? 0),
    [COMMAND.writeRegister]: (values) => {
      for (const [address, value] of addressed(values, 3)) registers.set(address!, value!);
      return [];
    },
    [COMMAND.readGpio]: () => [0x3f, 0x07, 0x00],
    [COMMAND.writeGpio]: () => [],
    [COMMAND.setSerialBaudRate]: ([rate = BAUD_RATES.length]) => (BAUD_RATES[rate] ? [] : 'refused'),
    [COMMAND.setParameters]: ([flags = 0]) => {
      settings.parameters = flags;
      return [];
    },
    [COMMAND.samConfiguration]: ([mode = 0]) => (mode >= 1 && mode <= 4 ? [] : 'refused'),
    [COMMAND.powerDown]: release,
    [COMMAND.rfConfiguration]: ([item, ...values]) => {
      if (item === CONFIGURATION.maxRetries) {
        [settings.deviceRetries = ENDLESS_RETRIES, , settings.retries = ENDLESS_RETRIES] = values;
      }
      // Without a field the card forgets everything.
      if (item === CONFIGURATION.field && ((values[0] ?? 0) & 0x01) === 0) target.forget();
      return [];
    },
    [COMMAND.inListPassiveTarget]: (given, stopped) => field.list(given, settings, stopped),
    [COMMAND.inAutoPoll]: (given, stopped) => field.autoPoll(given, settings, stopped),
    [COMMAND.inJumpForDep]: (given, stopped) =>
      isDeviceSearch(given) ? field.findDevice(settings, stopped) : 'refused',
    // The chip waits for an initiator. None comes, so it answers nothing until the host aborts.
    [COMMAND.tgInitAsTarget]: (given, stopped) =>
      given.length < TARGET_HEAD_BYTES
        ? 'refused'
        : field.findDevice({ ...settings, deviceRetries: ENDLESS_RETRIES }, stopped),
    [COMMAND.inDataExchange]: target.exchange,
    [COMMAND.inCommunicateThru]: target.communicate,
    [COMMAND.inSelect]: target.select,
    [COMMAND.inPsl]: inContext,
    // Attributes of ISO/IEC 18092: a payment card has none.
    [COMMAND.inAtr]: () => [STATUS.context],
    [COMMAND.inDeselect]: target.deselect,
    [COMMAND.inRelease]: release,
  };
  return {
    /** Runs a command. `stopped` returns true once the host no longer waits for the response. */
    async run(code: number, given: Uint8Array, stopped: () => boolean): Promise<ChipAnswer> {
      const answer = (await runs[code]?.(given, stopped)) ?? 'refused';
      if (answer === 'refused' || answer === 'stopped') return answer;
      return {
        data: Uint8Array.of(code + 1, ...answer),
        sleep: code === COMMAND.powerDown,
        baudRate: code === COMMAND.setSerialBaudRate ? BAUD_RATES[given[0]!] : undefined,
      };
    },
    stop: () => field.stop(),
  };
}

function factorySettings() {
  return {
    parameters: AUTOMATIC_ATR_RES | AUTOMATIC_RATS,
    retries: ENDLESS_RETRIES,
    deviceRetries: ENDLESS_RETRIES,
  };
}

/** Parameters of InJumpForDEP (§7.3.3): active or passive mode, baud rate, and which optional parts follow. */
function isDeviceSearch([mode = 2, rate = 3, following]: Uint8Array): boolean {
  return mode <= 1 && rate <= 2 && following !== undefined;
}

/** Registers have addresses of two bytes; returns address and value of each. */
function addressed(bytes: Uint8Array, each: number): number[][] {
  return Array.from({ length: Math.floor(bytes.length / each) }, (_, n) => {
    const [high, low, value] = bytes.subarray(n * each, (n + 1) * each);
    return [(high! << 8) | low!, value ?? 0];
  });
}
