import { expect, test } from 'vitest';
import { createApi } from '../../../cli/client/api-client.ts';
import { injectTransport } from '../../../world/inject-transport.ts';
import { createSandboxOnce } from '../../../cli/mcp/create-sandbox-once.ts';
import { hostingServer } from '../../server/sandboxes/hosting-server.ts';

/** Creates sandboxes on a server as the tools of MCP do. */
async function hosted() {
  const hosting = await hostingServer();
  const { server, realClock: clock } = hosting;
  const { publicUrl: url, secretKey } = server.services.settings;
  const environment = { clock, interrupted: new AbortController().signal };
  const host = createApi(environment, injectTransport(server), { url, secretKey });
  let count = 0;
  const creation = createSandboxOnce(
    () => host,
    () => `${(count += 1)}`,
  );
  const works = async ({ secretKey: key }: { secretKey: string }) =>
    (await hosting.call('GET /v1/customers', { key })).status;
  return { hosting, creation, works };
}

const CI = { name: 'ci', seed: 'run-1' };

test('createSandboxOnce: the same request returns the same sandbox', async () => {
  const { creation } = await hosted();
  const first = await creation.create(CI);
  expect(await creation.create({ seed: 'run-1', name: 'ci' })).toEqual(first);
});

test('createSandboxOnce: a sandbox that another client has deleted is created anew', async () => {
  const { hosting, creation, works } = await hosted();
  const first = await creation.create(CI);
  await hosting.call('DELETE /sandboxes/ci');
  const second = await creation.create(CI);
  expect([await works(first), await works(second)]).toEqual([403, 200]);
  expect(await creation.create(CI)).toEqual(second);
});

test('createSandboxOnce: a sandbox of the same name that another client has created is not returned', async () => {
  const { hosting, creation } = await hosted();
  await creation.create(CI);
  await hosting.call('DELETE /sandboxes/ci');
  await hosting.realClock.advance(1_000);
  await hosting.create(CI);
  await expect(creation.create(CI)).rejects.toThrow(/\(409\)/);
});

test('createSandboxOnce: a request that was refused is sent again once its reason is gone', async () => {
  const { hosting, creation, works } = await hosted();
  await hosting.create({ name: 'ci' });
  await expect(creation.create(CI)).rejects.toThrow(/\(409\)/);
  await hosting.call('DELETE /sandboxes/ci');
  expect(await works(await creation.create(CI))).toBe(200);
});

test('createSandboxOnce: another request for a name is refused, and the first still returns its sandbox', async () => {
  const { creation } = await hosted();
  const first = await creation.create(CI);
  await expect(creation.create({ ...CI, seed: 'run-2' })).rejects.toThrow(/\(409\)/);
  expect(await creation.create(CI)).toEqual(first);
});

test('createSandboxOnce: a sandbox that is forgotten is created anew', async () => {
  const { hosting, creation, works } = await hosted();
  await creation.create(CI);
  await hosting.call('DELETE /sandboxes/ci');
  creation.forget('ci');
  expect(await works(await creation.create(CI))).toBe(200);
});
