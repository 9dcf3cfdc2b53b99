import type { ItemOf } from '../../server/traces/trace-format.schema.ts';
import { codeOf } from './code.ts';
import { typedKeys } from './typed-keys.ts';
import type { WriterParts } from './writer-parts.ts';

/** Writes the lines of a test about terminals. */
export function createTerminalLines({ names, references: { textCode }, writeCall }: WriterParts) {
  const tills = new Map<string, string>();
  const tillLines: string[] = [];

  /** Returns the name of the till of a terminal. */
  function tillOf(terminalId: string): string {
    const known = tills.get(terminalId);
    if (known !== undefined) return known;
    const name = tills.size === 0 ? 'till' : names.take('till');
    tills.set(terminalId, name);
    tillLines.push(`const ${name} = world.tillOf(${textCode(terminalId)});`);
    return name;
  }

  function openTill({ terminalId, deviceType, cardholder, readLatencyMs }: ItemOf<'terminal'>): void {
    const name = tills.size === 0 ? 'till' : names.take('till');
    tills.set(terminalId, name);
    const options = { terminalId, deviceType, cardholder, readLatencyMs };
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    writeCall(`const ${name} = await world.openTill`, [codeOf(Object.fromEntries(given), textCode)]);
  }

  function perform({ terminalId, act }: ItemOf<'act'>): void {
    writeCall(`${tillOf(terminalId)}.terminal.perform`, [codeOf(typedKeys(act), textCode)]);
  }

  return { tillOf, openTill, perform, tillLines };
}
