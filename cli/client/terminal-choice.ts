import { Fault } from '../../protocol/failures.ts';
import { ID_FORMS } from '../../protocol/ids.ts';
import { optional } from '../command-line/command.ts';
import { stringOption } from '../command-line/option.ts';
import type { ServerApi } from './api-client.ts';

export const terminalParameter = optional(
  'Id or serial number of the terminal; may be left out when there is only one',
);

/** The option that names an action in place of the latest of a terminal. */
export const actionOption = stringOption({
  flag: '--action <id>',
  description: 'An action of any terminal, tmlact_...',
  defaultText: 'the latest action of the terminal',
});

const NAMED_MAX = 5;

/**
 * Returns the id of a terminal given by id or serial number; of the only terminal when none is given.
 * @throws Fault `bad_setting` when it does not exist, or when none is given and there are several.
 */
export async function chooseTerminal(api: ServerApi, named: string | undefined): Promise<string> {
  if (named?.startsWith(ID_FORMS.terminal.prefix)) return named;
  const terminals = await api.list('GET /v1/in-person/terminals');
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
    `TERMINAL is required, there are ${terminals.length}: ${some.join(', ')}${more}`,
  );
}

/** Returns the id of the latest action of a terminal. @throws Fault `bad_setting` when it has had none */
export async function latestActionId(api: ServerApi, terminal: string | undefined): Promise<string> {
  const params = { id: await chooseTerminal(api, terminal) };
  const { action, id } = await api.call('GET /v1/in-person/terminals/{id}', { params });
  if (action) return action.id;
  throw new Fault('bad_setting', `${id} has had no action: take a payment with 'tapbench pay 1742'`);
}
