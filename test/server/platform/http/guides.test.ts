import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../../../testing/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const get = (url: string) => world.server.http.inject({ url });
const linksOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]!);

test('guides: each document that the first one links to is a page, with the headings that its links name', async () => {
  const start = await get('/guides');
  expect([start.statusCode, start.headers.location]).toEqual([303, 'guides/README.md']);
  const readme = await get('/guides/README.md');
  expect([readme.statusCode, readme.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const links = linksOf(readme.body).filter((link) => link.startsWith('docs/'));
  expect(links.length).toBeGreaterThan(20);
  for (const link of new Set(links)) {
    const { pathname } = new URL(link, 'http://tapbench.test/guides/README.md');
    expect([link, (await get(pathname)).statusCode]).toEqual([link, 200]);
  }
  const choices = await get('/guides/docs/choices.md');
  const [file, anchor] = linksOf(choices.body)
    .find((link) => link.includes('#rate-limits'))!
    .split('#');
  expect((await get(`/guides/docs/${file}`)).body).toContain(`id="${anchor}"`);
});

test('guides: lead back to the dashboard and the reference, in a sandbox too', async () => {
  for (const prefix of ['', '/s/ci-1']) {
    const { body } = await get('/guides/docs/choices/api.md');
    const at = `http://tapbench.test${prefix}/guides/docs/choices/api.md`;
    const leads = linksOf(body)
      .slice(3, 6)
      .map((link) => new URL(link, at).pathname);
    expect(leads).toEqual([`${prefix}/`, `${prefix}/guides/README.md`, `${prefix}/docs`]);
  }
});

test('guides: the first mention of a rule of the protocol is what a link to the rule leads to', async () => {
  const { body } = await get('/guides/docs/protocol.md');
  expect([
    ...body.matchAll(/<code id="protocol\.start\.twice">protocol\.start\.twice<\/code>/g),
  ]).toHaveLength(1);
  expect(body).toContain('<code>action.start</code>');
  const { body: cases } = await get('/guides/docs/certify-device.md');
  expect([...cases.matchAll(/id="protocol\.seq\.repeat"/g)]).toHaveLength(1);
});

test.each([
  'package.json',
  'docs/../package.json',
  'docs/%2e%2e/package.json',
  'docs/.hidden.md',
  'docs',
  'NOTHING.md',
])('guides: serve documents only, not %s', async (path) => {
  const { statusCode, body } = await get(`/guides/${path}`);
  expect(statusCode).toBe(404);
  expect(body).not.toContain('"dependencies"');
});
