import { expect, test } from 'vitest';
import { withOwnValues } from '../../../../server/dashboard/page/guide/own-values.ts';

const keys = { secretKey: 'sk_sandbox_mine', publicKey: 'pk_sandbox_$&' };
const own = { origin: 'http://127.0.0.1:40123', prefix: '', keys };

test('examples of documents: have the address of the server and the keys of the sandbox', () => {
  expect(withOwnValues('curl http://127.0.0.1:8080/v1/webhooks -H "Authorization: $SECRET_KEY"', own)).toBe(
    'curl http://127.0.0.1:40123/v1/webhooks -H "Authorization: sk_sandbox_mine"',
  );
  expect(withOwnValues('export SECRET_KEY=sk_sandbox_… PUBLIC_KEY=pk_sandbox_…', own)).toBe(
    'export SECRET_KEY=sk_sandbox_mine PUBLIC_KEY=pk_sandbox_$&',
  );
});

test('examples of documents: keep their placeholders without keys', () => {
  const example = 'curl http://127.0.0.1:8080 -H "Authorization: $SECRET_KEY"';
  expect(withOwnValues(example, { ...own, keys: undefined })).toBe(
    'curl http://127.0.0.1:40123 -H "Authorization: $SECRET_KEY"',
  );
});

test('examples of documents: have the address of the sandbox, but for calls to the server itself', () => {
  const inSandbox = { ...own, prefix: '/s/ci' };
  expect(withOwnValues('http://127.0.0.1:8080/v1', inSandbox)).toBe('http://127.0.0.1:40123/s/ci/v1');
  for (const path of ['/sandboxes', '/s/other/v1', '/healthz'])
    expect(withOwnValues(`http://127.0.0.1:8080${path}`, inSandbox)).toBe(`http://127.0.0.1:40123${path}`);
});

test('examples of documents: keep the address that a proxy forwards to', () => {
  for (const example of ['proxy_pass http://127.0.0.1:8080;', 'reverse_proxy 127.0.0.1:8080'])
    expect(withOwnValues(example, own)).toBe(example);
});
