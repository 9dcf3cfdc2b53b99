import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { serveFile } from '../../../../server/platform/http/pages/served-file.ts';
import { walletRoutes } from '../../../../server/api/wallets/wallet.resource.ts';
import {
  servedVerificationFile,
  VERIFICATION_PATH,
  verificationFile,
} from '../../../../server/api/wallets/wallet-domain-service.ts';
import { smallServer } from '../../platform/http/small-server.ts';
import type { Fetched, OutgoingFetch } from '../../../../server/platform/outgoing.ts';

const FAMILIES = ['/v1/wallet-pay', '/v1/apple-pay'] as const;

test(
  'wallet web domains: a domain registered under one path is found under the other, until it is deleted',
  {
    tags: [
      'spec:4.10/POST/wallet-pay/web-domains',
      'spec:4.10/GET/wallet-pay/web-domains',
      'spec:4.10/GET/wallet-pay/web-domains/{id}',
      'spec:4.10/DELETE/wallet-pay/web-domains/{id}',
      'spec:4.10/both-paths',
    ],
  },
  async () => {
    const { call, subAccountId } = await smallServer(walletRoutes);
    for (const [here, there] of [FAMILIES, [...FAMILIES].reverse()] as [string, string][]) {
      const body = { domainName: 'Shop.Example' };
      const { status, body: domain } = await call(`POST ${here}/web-domains`, { body });
      expect(status).toBe(200);
      expect(domain).toEqual({
        id: expect.stringMatching(/^apwd_/),
        domainName: 'shop.example',
        createdTimestamp: expect.any(Number),
      });
      expect((await call(`POST ${there}/web-domains`, { body })).status).toBe(409);
      expect((await call(`GET ${there}/web-domains/${domain.id}`)).body).toEqual(domain);
      expect((await call(`GET ${there}/web-domains`)).body).toEqual({
        items: [domain],
        paginationToken: null,
      });
      const branch = { headers: { account: subAccountId } };
      expect((await call(`GET ${here}/web-domains/${domain.id}`, branch)).status).toBe(404);
      expect((await call(`POST ${here}/web-domains`, { body, ...branch })).status).toBe(200);
      expect((await call(`DELETE ${there}/web-domains/${domain.id}`)).body).toEqual({ id: domain.id });
      expect((await call(`DELETE ${here}/web-domains/${domain.id}`)).status).toBe(404);
      const [kept] = (await call(`GET ${here}/web-domains`, branch)).body.items;
      await call(`DELETE ${here}/web-domains/${kept.id}`, branch);
    }
  },
);

test(
  'POST /wallet-pay/web-domains: an account can have at most 99 domains',
  { tags: ['spec:4.10/domain-limit'] },
  async () => {
    const { call } = await smallServer(walletRoutes);
    const register = (name: string) =>
      call('POST /v1/wallet-pay/web-domains', { body: { domainName: `${name}.example` } });
    const first = await register('shop-0');
    for (let count = 1; count < 99; count++) expect((await register(`shop-${count}`)).status).toBe(200);
    const refused = await register('shop-99');
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'bad_request']);
    expect((await register('shop-1')).status).toBe(409);
    await call(`DELETE /v1/wallet-pay/web-domains/${first.body.id}`);
    expect((await register('shop-99')).status).toBe(200);
  },
);

test('POST /wallet-pay/web-domains: a domain name is a host name', async () => {
  const { call } = await smallServer(walletRoutes);
  for (const domainName of [
    'https://shop.example',
    'shop.example/path',
    'shop.example:443',
    'shop',
    '-shop.example',
    'sh op.example',
    '127.0.0.1',
    '',
    `${'a'.repeat(64)}.example`,
  ]) {
    const answer = await call('POST /v1/apple-pay/web-domains', { body: { domainName } });
    expect([domainName, answer.status, answer.body.errors?.[0].code]).toEqual([
      domainName,
      400,
      'invalid_field',
    ]);
  }
});

test(
  'POST /wallet-pay/sessions: returns an opaque session, for any domain',
  { tags: ['spec:4.10/POST/wallet-pay/sessions'] },
  async () => {
    const { call } = await smallServer(walletRoutes);
    for (const family of FAMILIES) {
      const body = { displayName: 'A shop', domainName: 'shop.example' };
      const first = await call(`POST ${family}/sessions`, { body });
      expect(first.status).toBe(200);
      const session = JSON.parse(Buffer.from(first.body.sessionObject, 'base64').toString('utf8'));
      expect(session).toMatchObject(body);
      const second = await call(`POST ${family}/sessions`, { body });
      expect(second.body.sessionObject).not.toBe(first.body.sessionObject);
      expect((await call(`POST ${family}/sessions`, { body: { displayName: 'A shop' } })).status).toBe(400);
    }
  },
);

test(
  'POST /wallet-pay/web-domains: with the setting on, the domain has to serve its verification file',
  { tags: ['spec:4.10/domain-hosts-file', 'refusal:wallet_domain_unverified'] },
  async () => {
    const { call, services } = await smallServer(walletRoutes, { walletDomainCheck: 'on' });
    const asked: string[] = [];
    let there: Fetched | undefined;
    services.outgoing.get = async ({ url }: OutgoingFetch) => {
      asked.push(url);
      if (!there) throw new Fault('transport', 'no answer (ENOTFOUND)');
      return there;
    };
    const register = async () => {
      const { status, body } = await call('POST /v1/apple-pay/web-domains', {
        body: { domainName: 'shop.example' },
      });
      return [status, body.errors?.[0].message.replace(/^.*verification file: /, '')];
    };
    expect(await register()).toEqual([400, 'no answer (ENOTFOUND)']);
    there = { status: 404, contentType: 'text/html', body: '<h1>' };
    expect(await register()).toEqual([400, 'it answers 404']);
    there = { status: 200, contentType: 'text/html', body: '<h1>' };
    expect(await register()).toEqual([400, 'its content type is not application/octet-stream']);
    there = { status: 200, contentType: 'application/octet-stream', body: ' \n' };
    expect(await register()).toEqual([400, 'it is empty']);
    there = { status: 200, contentType: 'application/octet-stream', body: '7B22' };
    expect((await register())[1]).toMatch(/^it is not the file that http.*association provides$/);
    const body = `${verificationFile(services.settings)}\n`;
    there = { status: 200, contentType: 'Application/Octet-Stream; charset=utf-8', body };
    expect(await register()).toEqual([200, undefined]);
    expect(new Set(asked)).toEqual(
      new Set(['https://shop.example/.well-known/apple-developer-merchantid-domain-association']),
    );
  },
);

test(
  'GET /wallet-pay verification file: provided by the server for every domain',
  { tags: ['spec:4.10/verification-file'] },
  async () => {
    const { http, services } = await smallServer(walletRoutes, {}, {}, (routing) =>
      serveFile(routing, servedVerificationFile),
    );
    const answer = await http.inject({ method: 'GET', url: VERIFICATION_PATH });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(answer.body).toBe(verificationFile(services.settings));
    expect(JSON.parse(Buffer.from(answer.body, 'hex').toString())).toEqual({
      version: 1,
      pspId: expect.stringMatching(/^[0-9A-F]{64}$/),
    });
    expect(verificationFile({ publicKey: 'pk_other' })).not.toBe(answer.body);
  },
);
