import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

/** Files that parse JSON of any depth, which is their own, and how they know it. */
const OWN_JSON: Record<string, string> = {
  'agent/lifecycle/action-journal.ts': 'a journal that it wrote, with a digest',
  'agent/readers/atomic-json-file.ts': 'a file that it wrote',
  'agent/readers/pending-reversal-store.ts': 'a text that it keeps',
  'cli/log/command-log.ts': 'lines of its own log',
  'cli/data-folder/data-folder.ts': 'keys.json, whose members are checked one by one',
  'cli/terminals/terminal-claim.ts': 'credentials, whose members are checked one by one',
  'protocol/outside-json.ts': 'parses what comes from outside',
  'server/dashboard/chart/layout.ts': 'layouts that the build wrote',
  'server/dashboard/page/faults/new-plan.tsx': 'what its own user typed',
  'server/dashboard/page/link/connection.ts': 'messages of its own server',
  'server/dashboard/page/requests/send-again.tsx': 'what its own user typed',
  'server/dashboard/page/webhooks/signed-body.tsx': 'the body of an event of its own server',
  'server/platform/http/calls/emit-call.ts': 'a reply that the server made',
  'server/platform/http/idempotency/keyed-requests.ts': 'a reply that the server made',
  'server/platform/http/pages/page-layout.ts': 'a message that the server put into its page',
  'server/platform/http/calls/struck-calls.ts': 'a reply that the server made',
  'server/platform/outbox/attempt-log.ts': 'lines that it wrote',
  'server/platform/outbox/struck-attempts.ts': 'an event that the server made',
  'server/platform/packed-lines.ts': 'counts values and depth of a line first',
  'server/platform/store/json-text.ts': 'rows that the server wrote',
  'server/sandboxes/asleep-terminals.ts': 'terminals that the server stored',
  'server/sandboxes/folder-storage.ts': 'terminals that the server stored',
  'server/sandboxes/sandbox-record.records.ts': 'terminals that the server stored',
  'server/sandboxes/sandbox-record.schema.ts': 'a record that the server wrote, checked',
  'server/traces/packed-snapshot.ts': 'lines that it packed',
  'simulator/simulated-terminal.ts': 'a copy of its own state',
  'testing/hunt/disk.ts': 'values that the code that is tested wrote',
  'testing/reporter/page/live-source.ts': 'messages of its own reporter',
  'testing/reporter/run-record.ts': 'lines that the worlds of a run wrote',
  'testing/reporter/report-file.ts': 'timelines that it packed',
  'testing/world/api.ts': 'a reply of its own server',
  'testing/world/receivers.ts': 'an event of its own server',
  'testing/world/fetch.ts': 'a reply of its own server',
  'world/replay/replay-world.ts': 'a reply of its own server',
};

test('JSON text: areas read stored JSON by parseJson only', () => {
  expect(parsing(['server/api', 'server/bank', 'server/sandbox-controls'])).toEqual([]);
});

test('JSON text: what comes from outside is parsed by parseOutsideJson only, which limits its depth', () => {
  expect(parsing(['agent', 'cli', 'protocol', 'server', 'simulator', 'testing', 'world']).toSorted()).toEqual(
    Object.keys(OWN_JSON).toSorted(),
  );
});

function parsing(folders: readonly string[]): string[] {
  return readSources(folders)
    .filter(({ text }) => /\bJSON\.parse\(/.test(text))
    .map(({ path }) => path)
    .sort();
}
