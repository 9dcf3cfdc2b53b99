import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../kit/run-program.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test('HTTP: curl --http2, which asks for an upgrade to h2c, gets every response over HTTP/1.1', async () => {
  const tapbench = await fixture.tapbench();
  const curl = async (...args: string[]) => {
    const write = [
      '--silent',
      '--show-error',
      '--write-out',
      '\n%{http_code} %{http_version} %{num_connects}\n',
    ];
    const { output } = await runProgram('curl', ['--http2', ...write, ...args]);
    return output.trim().split('\n');
  };
  const [health, status] = await curl(`${tapbench.url}/healthz`);
  expect([JSON.parse(health!), status]).toMatchObject([{ status: 'ok' }, '200 1.1 1']);

  // Two calls, the second on the connection of the first.
  const locations = `${tapbench.url}/v1/in-person/locations`;
  const address = { lineOne: '1 High Street', country: 'GB', city: 'London', postalCode: 'N1 1AA' };
  const location = JSON.stringify({ name: 'Corner Shop', address });
  const authorization = ['--header', `Authorization: ${tapbench.secretKey}`];
  const calls = await curl(...authorization, '--data', location, locations, locations);
  expect([JSON.parse(calls[0]!), JSON.parse(calls[2]!)]).toMatchObject([
    { name: 'Corner Shop' },
    { name: 'Corner Shop' },
  ]);
  expect([calls[1], calls[3]]).toEqual(['200 1.1 1', '200 1.1 0']);

  const unknown = await curl('--head', `${tapbench.url}/nothing/here`);
  expect(unknown.at(-1)).toBe('404 1.1 1');
});
