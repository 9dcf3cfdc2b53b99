import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi, type ServerApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { stringOption } from '../command-line/option.ts';
import { printJson, printLine } from '../command-line/output.ts';

export const terminalsAdd = command({
  name: 'terminals add',
  details: '`tapbench up` simulates terminals whose serial number begins with SIM.',
  parameters: {},
  options: {
    serial: stringOption({
      flag: '--serial <number>',
      description: 'Serial number, 4 to 40 letters, digits and hyphens; required',
    }),
    name: stringOption({
      flag: '--name <text>',
      description: 'Display name',
      defaultText: 'its type and serial number',
    }),
    location: stringOption({
      flag: '--location <id>',
      description: 'Its location',
      defaultText: 'the first location',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench terminals add --serial SIM-0002',
      description: 'registers a second simulated terminal',
    },
  ],
  async run({ context, options }) {
    const { serial, name } = options;
    if (serial === undefined)
      throw new Fault('bad_setting', '--serial is missing: the serial number of the terminal');
    const api = connectApi(context, options);
    const locationId = options.location ?? (await firstLocation(api));
    const body = { serialNumber: serial, locationId, ...(name === undefined ? {} : { name }) };
    const terminal = await api.call('POST /v1/in-person/terminals', { body });
    if (options.json) printJson(context.out, terminal);
    else printLine(context.out, `${terminal.id}  ${terminal.device.serialNumber}  ${terminal.name}`);
  },
});

async function firstLocation(api: ServerApi): Promise<string> {
  const page = await api.call('GET /v1/in-person/locations', { query: { ascending: true, limit: 1 } });
  const first = page.items[0];
  if (!first)
    throw new Fault('bad_setting', 'there is no location yet: create one with POST /v1/in-person/locations');
  return first.id;
}
