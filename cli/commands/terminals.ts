import type { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { CLIENT_OPTIONS, connectApi, type ServerApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { printJson, printTable } from '../command-line/output.ts';

export const terminals = command({
  name: 'terminals',
  parameters: {},
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench terminals', description: 'prints one line for each terminal' }],
  async run({ context, options }) {
    const api = connectApi(context, options);
    const [known, online] = await Promise.all([
      api.list('GET /v1/in-person/terminals'),
      onlineTerminals(api),
    ]);
    const rows = known.map((terminal) => ({ ...terminal, online: online?.has(terminal.id) ?? null }));
    if (options.json) return printJson(context.out, rows);
    if (rows.length === 0)
      return context.err.write("no terminals; 'tapbench terminals add --serial SIM-0002' registers one\n");
    printTable(context.out, [['ID', 'SERIAL', 'NAME', 'DEVICE', 'LINK', 'LAST ACTION'], ...rows.map(rowOf)]);
  },
});

function rowOf(terminal: Terminal & { online: boolean | null }): string[] {
  const { id, name, device, action, online } = terminal;
  const link = { true: 'online', false: 'offline', null: '?' }[String(online) as 'true' | 'false' | 'null'];
  const last = action
    ? [action.transaction.type, action.status, action.error?.code].filter(Boolean).join(' ')
    : '-';
  return [id, device.serialNumber, name, device.type, link, last];
}

/** Returns the ids of the terminals that are online; undefined with live keys, for which the server does not say. */
export async function onlineTerminals(api: ServerApi): Promise<Set<string> | undefined> {
  const answer = await api.answer('GET /sandbox/terminals');
  if (!answer.ok) return undefined;
  return new Set(answer.body.items.filter(({ online }) => online).map(({ id }) => id));
}
