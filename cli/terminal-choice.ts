import { Fault } from '../protocol/failures.ts';
import { ID_FORMS } from '../protocol/ids.ts';
import type { Terminal } from '../server/api/in-person/terminal.schema.ts';
import { optional } from './command.ts';
import type { Api } from './api-client.ts';

export const terminalParameter = optional('Id or serial number of the terminal; the only one when left out');

const NAMED_MAX = 5;

/**
 * The id of the terminal that is meant: by id, by serial number, or the only one there is.
 * @throws Fault `bad_setting` when there is none such, or several and none is named.
 */
export async function chooseTerminal(api: Api, named: string | undefined): Promise<string> {
  if (named?.startsWith(ID_FORMS.terminal.prefix)) return named;
  const terminals = await api.list<Terminal>('/v1/in-person/terminals');
  if (named !== undefined) {
    const found = terminals.find(({ device }) => device.serialNumber === named);
    if (!found)
      throw new Fault('bad_setting', `no terminal has the id or serial number '${named.slice(0, 60)}'`);
    return found.id;
  }
  if (terminals.length === 1) return terminals[0]!.id;
  if (terminals.length === 0) {
    throw new Fault(
      'bad_setting',
      "there is no terminal: register one with 'tapbench terminals add --serial SIM-0001'",
    );
  }
  const some = terminals.slice(0, NAMED_MAX).map(({ device }) => device.serialNumber);
  const more = terminals.length > NAMED_MAX ? ', ...' : '';
  throw new Fault(
    'bad_setting',
    `TERMINAL must be named, there are ${terminals.length}: ${some.join(', ')}${more}`,
  );
}

/** The path of a terminal, for its calls. */
export function terminalPath(terminalId: string): string {
  return `/v1/in-person/terminals/${encodeURIComponent(terminalId)}`;
}
