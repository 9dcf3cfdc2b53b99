import type { SentBody } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { checkedByServer, connectApi, SANDBOX_OPTIONS } from '../client/api-client.ts';
import { command, optional, required } from '../command-line/command.ts';
import { booleanOption, listOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';
import { readMember, changeMember, parseMemberChange } from '../trigger/member-change.ts';
import type { Json } from '../trigger/trigger-path.ts';

export const accounts = command({
  name: 'accounts',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench accounts', description: 'prints one line for each account' }],
  async run({ context, options }) {
    const { items } = await connectApi(context, options).call('GET /sandbox/accounts');
    if (options.json) return printJson(context.out, items);
    const rows = items.map(({ id, type, name }) => [id, type, name]);
    printTable(context.out, [['ID', 'TYPE', 'NAME'], ...rows]);
  },
});

const SETTINGS_OPERATION = 'PATCH /sandbox/accounts/{id}/settings';

export const accountsSettings = command({
  name: 'accounts settings',
  parameters: { account: required('Id of the account, ac_...') },
  options: {
    set: listOption('--set <member=value>', 'Setting and its value; can be given several times'),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    { line: 'tapbench accounts settings ac_... --set frozen=true', description: 'disables its payouts' },
    {
      line: 'tapbench accounts settings ac_... --set minimumPayoutMinor=5000',
      description: 'sets the smallest manual payout to 50.00',
    },
  ],
  async run({ context, args, options }) {
    const changes = options.set.map(parseMemberChange);
    if (changes.length === 0) throw new Fault('bad_setting', '--set is missing: a setting and its value');
    let body: Json = {};
    for (const { path, typed } of changes)
      body = changeMember(body, path, await readMember(SETTINGS_OPERATION, path, typed));
    const changed = await connectApi(context, options).call(SETTINGS_OPERATION, {
      params: { id: args.account },
      body: checkedByServer<SentBody<typeof SETTINGS_OPERATION>>(body),
    });
    printJson(context.out, options.json ? changed : changed.settings);
  },
});

export const accountsVerify = command({
  name: 'accounts verify',
  details: 'What was supplied is accepted, or with --refuse requested again.',
  parameters: {
    account: required('Id of the sub account, ac_...'),
    person: optional('Id of a person of it, per_...'),
  },
  options: {
    refuse: booleanOption('--refuse', 'Refuse what was supplied'),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    { line: 'tapbench accounts verify ac_...', description: 'verifies a sub account' },
    { line: 'tapbench accounts verify ac_... per_... --refuse', description: 'refuses a person of it' },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const id = args.account;
    const body = { outcome: options.refuse ? ('Required' as const) : ('Verified' as const) };
    const verified =
      args.person === undefined
        ? await api.call('POST /sandbox/accounts/{id}/verification', { params: { id }, body })
        : await api.call('POST /sandbox/accounts/{id}/persons/{personId}/verification', {
            params: { id, personId: args.person },
            body,
          });
    if (options.json) printJson(context.out, verified);
    else printLine(context.out, `${verified.id}  ${verified.verification.status}`);
  },
});
