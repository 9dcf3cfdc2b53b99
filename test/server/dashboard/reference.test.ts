import { expect, test } from 'vitest';
import { startWorld } from '../../../testing/world/world.ts';

test('API reference: is a page whose every part comes from this server, without a key', async () => {
  const world = await startWorld();
  const { http } = world.server;
  const page = await http.inject({ url: '/docs' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(parts).toEqual(
    expect.arrayContaining(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'openapi.json']),
  );
  for (const part of parts) {
    const { pathname, host } = new URL(part, 'http://tapbench.test/docs');
    expect([part, host]).toEqual([part, 'tapbench.test']);
    const answer = await http.inject({ url: pathname });
    expect([part, answer.statusCode, answer.rawPayload.length > 100]).toEqual([part, 200, true]);
  }
  // The browser is told to load nothing from elsewhere, whatever the scripts ask for.
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  await world.close();
});

test('API reference: the styles of Swagger UI are in a layer, which yields to those of the page', async () => {
  const world = await startWorld();
  const { body, headers } = await world.server.http.inject({ url: '/docs/swagger-ui.css' });
  expect(headers['content-type']).toBe('text/css; charset=utf-8');
  expect(body.startsWith('@layer swagger {')).toBe(true);
  await world.close();
});
