import type { SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import type { Cardholder } from './cardholder.ts';
import type { PowerSupply } from './power-supply.ts';
import { controlPrinter, loadSheets, type OutsidePrinter } from './outside-printer.ts';
import type { SimulatedPrinter } from './printer.ts';
import type { DeviceProfile } from './profiles/device-profile.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import type { TerminalReader } from './terminal-reader.ts';

/** What surrounds the firmware of a simulated terminal. */
export interface Environment {
  device: DeviceProfile;
  reader: TerminalReader;
  printer: SimulatedPrinter;
  /** The printer outside the terminal, in place of its own. */
  outside: OutsidePrinter | undefined;
  cardholder: Cardholder;
  powerSupply: PowerSupply;
}

export const POWER_OFF: SimulationAct = { act: 'power', state: 'off' };

/** Does at a terminal what a person or its surroundings do. */
export function performAct(environment: Environment, act: SimulationAct): SimulationResult {
  const { reader, outside, cardholder, powerSupply } = environment;
  const withPower = (result: () => SimulationResult) =>
    powerSupply.agent || reader.hasOwnPower ? result() : failure('the terminal is switched off');
  switch (act.act) {
    case 'present-card':
      return withPower(() => reader.presentCard(act.card, act.entryMode));
    case 'remove-card':
      return reader.removeCard();
    case 'press-keys':
      return withPower(() => reader.pressKeys(act.keys));
    case 'power':
      if (act.state === 'on') powerSupply.powerOn();
      else powerSupply.powerOff();
      if (act.state === 'off') reader.switchOff();
      if (act.state === 'off') outside?.switchOff?.();
      return SUCCESS;
    case 'network':
      powerSupply.switchNetwork(act.state);
      return SUCCESS;
    case 'reader':
      return act.state === 'unplugged' ? reader.unplug() : reader.plugIn();
    case 'paper':
      return loadPaper(environment, act.sheets);
    case 'control':
      return (
        reader.control?.(act.control, act.argument) ??
        (outside
          ? controlPrinter(outside, act.control, act.argument)
          : failure('nothing is beside this terminal that has controls'))
      );
    case 'cardholder':
      return cardholder.setScript(act);
  }
}

/** Puts paper into all that prints at a terminal, or takes it out. */
function loadPaper(
  { device, reader, printer, outside }: Pick<Environment, 'device' | 'reader' | 'printer' | 'outside'>,
  sheets: number,
): SimulationResult {
  if (outside) {
    const loaded = loadSheets(outside, sheets);
    if (!loaded.ok) return loaded;
  } else {
    if (!device.hasPrinter) return failure(`a ${device.deviceType} has no printer`);
    printer.load(sheets);
  }
  reader.setPaper?.(sheets > 0);
  return SUCCESS;
}
