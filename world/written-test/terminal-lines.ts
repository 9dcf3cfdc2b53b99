import type { ItemOf } from '../../server/traces/trace-item.schema.ts';
import { codeOf } from './code.ts';
import { code, type Expression } from './expression.ts';
import { typedKeys } from './typed-keys.ts';
import type { WriterParts } from './writer-parts.ts';

/** Writes the lines of a test about terminals. */
export function createTerminalLines({
  names,
  references: { textCode, constants },
  write,
  writeCall,
}: WriterParts) {
  const tills = new Map<string, Expression>();
  const tillLines: Expression[] = [];

  /** Returns the name of the till of a terminal. */
  function tillOf(terminalId: string): Expression {
    const known = tills.get(terminalId);
    if (known !== undefined) return known;
    const name = tills.size === 0 ? code`till` : names.take('till');
    tills.set(terminalId, name);
    const line = code`const ${name} = world.tillOf(${textCode(terminalId)});`;
    // The id may be read from a reply before it.
    if (constants.has(terminalId)) tillLines.push(line);
    else write(line);
    return name;
  }

  function openTill({ terminalId, deviceType, cardholder, readLatencyMs }: ItemOf<'terminal'>): void {
    const name = tills.size === 0 ? code`till` : names.take('till');
    tills.set(terminalId, name);
    const options = { terminalId, deviceType, cardholder, readLatencyMs };
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    writeCall(code`const ${name} = await world.openTill`, [codeOf(Object.fromEntries(given), textCode)]);
  }

  function perform({ terminalId, act }: ItemOf<'act'>): void {
    writeCall(code`${tillOf(terminalId)}.terminal.perform`, [codeOf(typedKeys(act), textCode)]);
  }

  return { tillOf, openTill, perform, tillLines };
}
