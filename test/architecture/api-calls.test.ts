import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const SOURCES = readSources(['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli']);

/** The files that call `fetch` themselves, and why. The others call the API by `protocol/api-client.ts`. */
const FETCHES: Record<string, string> = {
  'protocol/api-call.ts': 'is how the client sends a request',
  'cli/compare/browser-hands.ts': 'fills in forms of pages, as a browser does',
  'cli/compare/careful-client.ts': 'sends wrong requests too, and trusts no reply',
  'cli/client/file-transfer.ts': 'sends and receives files as streams',
  'cli/client/webhook-receiver.ts': 'forwards a delivery to the server of a user',
  'cli/process-main.ts': 'gives commands the `fetch` of the process',
  'cli/server/server-ports.ts': 'asks whether the program at a port is Tapbench',
  'server/dashboard/page/guide/main.ts': 'has a token to try, and reads only whether the server takes it',
  'server/dashboard/page/link/api.ts': 'is the client of the page',
  'server/dashboard/page/link/session.ts': 'gets the token that the client of the page sends',
  'server/dashboard/page/reference/start-reference.ts': 'reads the OpenAPI document',
  'testing/hunt/command/customers.ts': 'calls the shop that is tested',
  'testing/hunt/integrator.ts': 'passes on the calls of the code that is tested',
  'testing/hunt/story/record-story.ts': 'passes on the calls of the code that is tested',
  'world/verdicts/read-books.ts': 'calls the shop that is tested',
};

/** The files that send a request whose path is data, so that no type can check it, and why. */
const PATHS_AS_DATA: Record<string, string> = {
  'cli/commands/open.ts': 'calls the dashboard, which is not part of the API',
  'cli/watch/live-socket.ts': 'calls the dashboard, which is not part of the API',
  'cli/commands/sim.ts': 'sends what the simulator pairs with',
  'cli/commands/trigger.ts': 'sends the steps of a path to an event',
  'cli/drills/drill-sandbox.ts': 'sends what the plays of drills name',
  'cli/mcp/object-tools.ts': 'sends what an agent names',
  'cli/mcp/terminal-tools.ts': 'sends an act that an agent names',
  'cli/mcp/trigger-tools.ts': 'sends the steps of a path to an event',
  'cli/server/local-fleet.ts': 'sends what the simulator pairs with',
  'cli/terminals/terminal-claim.ts': 'sends what the simulator pairs with',
};

const filesWith = (pattern: RegExp) =>
  SOURCES.filter(({ text }) => pattern.test(withoutTexts(text))).map(({ path }) => path);

/** Removes comments and template texts: the dashboard shows code that calls `fetch`. */
const withoutTexts = (text: string) =>
  text.replaceAll(/^\s*(\*|\/\/).*$/gm, '').replaceAll(/`const response[^`]*/g, '');

test('API calls: only the files listed call fetch, each for a reason', () => {
  const found = filesWith(/(?<![.\w])fetch\(|\bcontext\.fetch\(|\bhttps?\.request\(/);
  const own = found.filter((path) => !CLIENTS_AND_FAKES.includes(path));
  expect(
    own.filter((path) => !(path in FETCHES)),
    'call the API by a client of protocol/api-client.ts, or give the reason in FETCHES',
  ).toEqual([]);
  expect(Object.keys(FETCHES).filter((path) => !own.includes(path))).toEqual([]);
});

/** Make a `fetch`, and call none of the network's. */
const CLIENTS_AND_FAKES = ['cli/client/api-client.ts', 'testing/world/fetch.ts'];

test('API calls: only the files listed send a path that is not typed, each for a reason', () => {
  const found = filesWith(/\b(api|client|lasting|host|connectApi)\b[^\n;]*\.ask\(/);
  expect(
    found.filter((path) => !(path in PATHS_AS_DATA)),
    "call an operation by its name, such as api.call('GET /v1/customers')",
  ).toEqual([]);
  expect(Object.keys(PATHS_AS_DATA).filter((path) => !found.includes(path))).toEqual([]);
});
