import { entriesOf } from '../../protocol/tables.ts';
import { DEVICE_CASES } from '../certify/device/device-cases.ts';
import { ENDPOINT_CASES } from '../certify/endpoint/endpoint-cases.ts';
import { TILL_CASES } from '../certify/till/till-cases.ts';
import { command } from '../command-line/command.ts';
import { json, printJson, printTable } from '../command-line/output.ts';

/** The cases of each certificate, by what it is of. */
const CASES = { endpoint: ENDPOINT_CASES, device: DEVICE_CASES, till: TILL_CASES };

export const certify = command({
  name: 'certify',
  details: 'Each rule has an id, by which --only and the results of a certificate name it.',
  parameters: {},
  options: { json },
  examples: [{ line: 'tapbench certify', description: 'prints what is tried' }],
  run({ context, options }) {
    const rules = entriesOf(CASES).flatMap(([subject, cases]) =>
      cases.map(({ id, rule, needs }) => ({ subject, id, rule, needs })),
    );
    if (options.json) printJson(context.out, rules);
    else printTable(context.out, [['CASE', 'RULE'], ...rules.map(({ id, rule }) => [id, rule])]);
    return Promise.resolve();
  },
});
