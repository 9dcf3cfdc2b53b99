import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import { untilPrinted, type ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const STARTED = /API +http:\/\/127\.0\.0\.1:\d+\/v1[\s\S]*Ctrl-C stops/;
const READY = /^\{"url":"http:\/\/127\.0\.0\.1:\d+",.*\}\n$/;

const DETACHED = /API +http:\/\/127\.0\.0\.1:\d+\/v1[\s\S]*Runs until 'tapbench down'/;
const STOPPED = /the server with DATA_DIR \.tapbench has stopped\n$/;

/** Stops what the example leaves running when it is over. */
function downLater({ fixture, run }: Stage): void {
  fixture.onCleanUp(() => run('tapbench down'));
}

/** Deletes a sandbox when the example is over. */
function deleteLater({ fixture, server }: Stage, name: string): void {
  fixture.onCleanUp(() => server.api('DELETE', `/sandboxes/${name}`));
}

/** Creates the sandbox that the examples name. */
async function createCi({ server, ...stage }: Stage): Promise<void> {
  deleteLater({ server, ...stage }, 'ci-1234');
  expect((await server.api('POST', '/sandboxes', { name: 'ci-1234' })).status).toBe(200);
}

const statusOf = async ({ server }: Stage, name: string): Promise<number> =>
  (await server.api('GET', `/sandboxes/${name}`)).status;

/** The first message of a coding agent to the server that it has started. */
const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
})}\n`;

export const SERVER_ROWS: ExampleRows = {
  'tapbench up': { alone: true, meanwhile: untilPrinted(STARTED), stdout: STARTED },
  'PORT=0 MQTT_PORT=0 tapbench up --ephemeral --json': {
    alone: true,
    meanwhile: untilPrinted(READY),
    stdout: READY,
  },
  'tapbench up --twin nexo': { alone: true, meanwhile: untilPrinted(STARTED), stdout: /SIM-NEXO-0001/ },
  'tapbench up --twin escpos': {
    alone: true,
    meanwhile: untilPrinted(STARTED),
    stdout: /SIM-ESCPOS-0001/,
  },
  'tapbench up --detach': { alone: true, prepare: downLater, stdout: DETACHED },
  'tapbench down': {
    alone: true,
    async prepare(stage) {
      downLater(stage);
      await stage.run('tapbench up --detach');
    },
    stdout: STOPPED,
  },
  'tapbench up --detach && npm run e2e; tapbench down': {
    alone: true,
    prepare: downLater,
    stdout: new RegExp(`${DETACHED.source}[\\s\\S]*the tests pass[\\s\\S]*${STOPPED.source}`),
  },
  'tapbench server': { alone: true, meanwhile: untilPrinted(STARTED), stdout: STARTED },
  'PORT=0 MQTT_PORT=0 tapbench server --ephemeral --json': {
    alone: true,
    meanwhile: untilPrinted(READY),
    stdout: READY,
  },
  'tapbench up & tapbench wait && npm run e2e': {
    alone: true,
    async meanwhile(_stage, { child, interrupt }) {
      await waitFor('the tests to end', () => !child.running);
      interrupt();
    },
    stdout: /the tests pass/,
    stderr: /^(Waiting for http:.*\n)*$/,
  },
  'tapbench open': {
    stdout: /^http:\/\/127\.0\.0\.1:\d+\/.*dash_[\w-]+\n$/,
    after: async ({ calls }) =>
      await expect.poll(calls).toEqual([expect.stringMatching(/^xdg-open http:\/\/127\.0\.0\.1:/)]),
  },
  'tapbench sandbox': { stdout: /^NAME .*\ndefault /m },
  'tapbench sandbox create ci-1234': {
    prepare: (stage) => deleteLater(stage, 'ci-1234'),
    stdout: /Sandbox +ci-1234\n[\s\S]*Secret key +sk_sandbox_[\w-]+/,
    after: async (stage) => expect(await statusOf(stage, 'ci-1234')).toBe(200),
  },
  'tapbench pay --sandbox ci-1234 1742': {
    async prepare(stage) {
      await createCi(stage);
      await waitFor('the terminal', () => stage.run('TAPBENCH_SANDBOX=ci-1234 tapbench power on'));
    },
    stdout: /^Payment {2}17\.42 GBP {2}InProgress /,
  },
  'tapbench sandbox fork default try-1': {
    prepare: (stage) => deleteLater(stage, 'try-1'),
    stdout: /Sandbox +try-1\n/,
    after: async (stage) => expect(await statusOf(stage, 'try-1')).toBe(200),
  },
  'tapbench sandbox fork default --no-webhooks --clock 2030-01-01': {
    stdout: /Sandbox +\S+\n/,
    async after(stage, { stdout }) {
      const [, name] = /Sandbox +(\S+)/.exec(stdout)!;
      deleteLater(stage, name!);
      expect((await stage.run(`TAPBENCH_SANDBOX=${name} tapbench clock`)).stdout).toMatch(/^2030-01-01T/);
    },
  },
  'tapbench sandbox update ci-1234 --strict on': {
    prepare: createCi,
    stdout: /^ci-1234 updated: strict\n$/,
  },
  'tapbench sandbox delete ci-1234': {
    prepare: createCi,
    stdout: /^ci-1234 deleted\n$/,
    after: async (stage) => expect(await statusOf(stage, 'ci-1234')).toBe(404),
  },
  'tapbench sandbox save ci-1234 ci-1234.snapshot': {
    prepare: createCi,
    stdout: /ci-1234\.snapshot/,
    after: ({ read }) => expect(read('ci-1234.snapshot').length).toBeGreaterThan(0),
  },
  'tapbench sandbox restore ci-1234.snapshot again': {
    async prepare(stage) {
      await createCi(stage);
      await stage.run('tapbench sandbox save ci-1234 ci-1234.snapshot');
      deleteLater(stage, 'again');
    },
    stdout: /Sandbox +again\n/,
    after: async (stage) => expect(await statusOf(stage, 'again')).toBe(200),
  },
  'tapbench clock': { stdout: /^\S+Z {2}real time\n$/ },
  'tapbench clock advance 30d': { stdout: /^\S+Z {2}30 d ahead of real time\n$/ },
  'tapbench clock advance --to 2030-01-01': {
    stdout: /^2030-01-01T00:\d\d:\d\dZ {2}\d+ d .*ahead of real time\n$/,
  },
  'tapbench reset --sandbox ci-1234': {
    async prepare(stage) {
      await createCi(stage);
      await stage.run('TAPBENCH_SANDBOX=ci-1234 tapbench trigger Customer.created');
    },
    stdout: /^all data deleted\n$/,
    async after({ run }) {
      expect((await run('TAPBENCH_SANDBOX=ci-1234 tapbench objects customer')).stderr).toBe(
        'no object fits\n',
      );
    },
  },
  'tapbench keys': { stdout: /sk_sandbox_[\w-]+[\s\S]*pk_sandbox_[\w-]+/ },
  'export SECRET_KEY=$(tapbench keys secretKey)': {
    nextLine: 'printenv SECRET_KEY',
    stdout: /^sk_sandbox_[\w-]+\n$/,
    after: ({ sandbox }, { stdout }) => expect(stdout).toBe(`${sandbox.secretKey}\n`),
  },
  'tapbench logs': {
    async meanwhile({ api }, { child, interrupt }) {
      await api('POST', '/v1/customers', { email: 'ana@corner.example' });
      await child.prints(/200 +POST +\/v1\/customers/);
      interrupt();
    },
    stdout: /200 +POST +\/v1\/customers/,
  },
  'tapbench logs --status 4xx --once': {
    async prepare({ api }) {
      await expect(api('GET', '/v1/customers/cus_1')).rejects.toThrow('not_found');
    },
    stdout: /^\S+ +404 +GET +\/v1\/customers\/cus_1/,
  },
  'tapbench logs req_01J...': {
    async prepare({ api }) {
      await api('POST', '/v1/customers', { email: 'ana@corner.example' });
      const { items } = await api('GET', '/sandbox/requests');
      return { 'req_01J...': items[0].id };
    },
    stdout: /ana@corner\.example/,
  },
  'claude mcp add tapbench -- npx tapbench mcp': {
    input: INITIALIZE,
    stdout: /"serverInfo":\{"name":"tapbench"/,
    after: ({ calls }) => expect(calls()).toEqual(['claude mcp add tapbench -- npx tapbench mcp']),
  },
  "claude mcp add tapbench -- npx tapbench mcp --shop 'node shop.js' --sell /orders --books /books": {
    input: INITIALIZE,
    stdout: /"serverInfo":\{"name":"tapbench"/,
    after: ({ calls }) => expect(calls()[0]).toContain('--shop node shop.js --sell /orders'),
  },
  'tapbench docs --check': {
    prepare({ folder }) {
      symlinkSync(join(import.meta.dirname, '../../../docs'), join(folder, 'docs'));
    },
  },
};
