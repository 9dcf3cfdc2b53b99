import type { Item } from '../../protocol/api-client.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { DEFAULT_LOCATION } from '../server/default-location.ts';
import { stringOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';

export const locations = command({
  name: 'locations',
  parameters: {},
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench locations', description: 'prints one line for each location' }],
  async run({ context, options }) {
    const items = await connectApi(context, options).list('GET /v1/in-person/locations');
    if (options.json) return printJson(context.out, items);
    if (items.length === 0)
      return context.err.write("no locations; 'tapbench locations add NAME' creates one\n");
    printTable(context.out, [['ID', 'NAME', 'ADDRESS'], ...items.map(rowOf)]);
  },
});

const { address } = DEFAULT_LOCATION;

export const locationsAdd = command({
  name: 'locations add',
  parameters: { name: required('Name of the location, 5 to 50 characters') },
  options: {
    lineOne: stringOption({
      flag: '--line-one <text>',
      description: 'Street and house number',
      defaultValue: address.lineOne,
    }),
    city: stringOption({ flag: '--city <name>', description: 'City or town', defaultValue: address.city }),
    postalCode: stringOption({
      flag: '--postal-code <code>',
      description: 'Postal code',
      defaultValue: address.postalCode,
    }),
    country: stringOption({
      flag: '--country <code>',
      description: 'Two-letter ISO 3166 code',
      defaultValue: address.country,
    }),
    region: stringOption({
      flag: '--region <code>',
      description: 'State or province; required for US and CA',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [
    {
      line: "tapbench locations add 'South Hall'",
      description: 'creates a location at an address in London',
    },
    {
      line: "tapbench locations add 'Leeds Shop' --line-one '1 High Street' --city Leeds --postal-code 'LS1 1AA'",
      description: 'creates one at this address',
    },
  ],
  async run({ context, args, options }) {
    const { lineOne, city, postalCode, country, region } = options;
    const location = await connectApi(context, options).call('POST /v1/in-person/locations', {
      body: { name: args.name, address: { lineOne, city, postalCode, country, region } },
    });
    if (options.json) printJson(context.out, location);
    else printLine(context.out, rowOf(location).join('  '));
  },
});

export const locationsDelete = command({
  name: 'locations delete',
  parameters: { id: required('Id of the location') },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench locations delete iploc_01J...', description: 'deletes it' }],
  async run({ context, args, options }) {
    const params = { id: args.id };
    const deleted = await connectApi(context, options).call('DELETE /v1/in-person/locations/{id}', {
      params,
    });
    if (options.json) printJson(context.out, deleted);
    else printLine(context.out, `${args.id} deleted`);
  },
});

type Location = Item<'GET /v1/in-person/locations'>;

function rowOf({ id, name, address: { lineOne, city, postalCode, country } }: Location): string[] {
  return [id, name, [lineOne, city, postalCode, country].join(', ')];
}
