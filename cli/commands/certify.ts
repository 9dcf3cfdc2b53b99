import { entriesOf } from '../../protocol/tables.ts';
import { CASES } from '../certify/all-cases.ts';
import { command } from '../command-line/command.ts';
import { json, printJson, printTable } from '../command-line/output.ts';

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
