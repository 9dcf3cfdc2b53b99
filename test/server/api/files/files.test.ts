import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fileRoutes } from '../../../../server/api/files/file.resource.ts';
import { encodeForm } from '../../../../testing/world/api.ts';
import { uploadForm } from '../../../kit/form.ts';
import { smallServer, type Answer, type SmallServer } from '../../platform/http/small-server.ts';

async function send(server: SmallServer, form: FormData, account?: string): Promise<Answer> {
  const { bytes, contentType } = await encodeForm(form);
  return server.call('POST /v1/files', { raw: bytes, headers: { 'content-type': contentType, account } });
}

function sendRaw(server: SmallServer, raw: string | Buffer, contentType: string | null): Promise<Answer> {
  return server.call('POST /v1/files', { raw, headers: { 'content-type': contentType } });
}

test(
  'POST /files: a file is returned as it was uploaded',
  { tags: ['spec:4.13/POST/files', 'spec:4.13/GET/files/{id}'] },
  async () => {
    const server = await smallServer(fileRoutes);
    const more = { 'metadata[dispute]': 'late parcel', 'metadata[page]': '2' };
    const form = uploadForm(
      'Evidence',
      { name: 'Übersicht 1.PDF', type: 'application/pdf', size: 72_000 },
      more,
    );
    const { status, body } = await send(server, form);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^fl_[0-9A-Z]{26}$/),
        name: 'Übersicht 1.PDF',
        type: 'Pdf',
        category: 'Evidence',
        metadata: { dispute: 'late parcel', page: '2' },
        sizeInBytes: 72_000,
        createdTimestamp: body.createdTimestamp,
        lastUpdatedTimestamp: body.createdTimestamp,
      },
    ]);
    expect((await server.call(`GET /v1/files/${body.id}`)).body).toEqual(body);
  },
);

test.each([
  ['application/pdf', 'x.pdf', 'Pdf'],
  ['image/png', 'x.png', 'Png'],
  ['image/jpeg', 'x.jpg', 'Jpg'],
  ['image/jpg', 'x.jpg', 'Jpg'],
  ['text/csv', 'x.csv', 'Csv'],
  ['image/png', 'wrongly named.txt', 'Png'],
  ['application/octet-stream', 'x.PNG', 'Png'],
  ['application/octet-stream', 'a.b.jpeg', 'Jpg'],
])('POST /files: %s named %s is a %s', async (type, name, expected) => {
  const server = await smallServer(fileRoutes);
  const { status, body } = await send(server, uploadForm('Evidence', { name, type, size: 5 }));
  expect([status, body.type]).toEqual([200, expected]);
});

test.each([
  ['Evidence', 'image/gif', 'x.png'],
  ['Evidence', 'text/html', 'x.pdf'],
  ['Evidence', 'application/octet-stream', 'x.exe'],
  ['Evidence', 'application/octet-stream', 'png'],
  ['VerificationDocument', 'text/csv', 'x.csv'],
])(
  'POST /files: %s takes no %s named %s',
  { tags: ['spec:4.13/file-types'] },
  async (category, type, name) => {
    const server = await smallServer(fileRoutes);
    const { status, body } = await send(server, uploadForm(category, { type, name }));
    expect([status, body.code, body.errors[0].code]).toEqual([415, '415', 'unsupported_media_type']);
  },
);

test.each([
  ['Evidence', 0, 400],
  ['Evidence', 1, 200],
  ['Evidence', 4_000_000, 200],
  ['Evidence', 4_000_001, 400],
  ['VerificationDocument', 9_999, 400],
  ['VerificationDocument', 10_000, 200],
  ['VerificationDocument', 4_000_000, 200],
  ['VerificationDocument', 4_000_001, 400],
])('POST /files: %s of %d bytes: %d', async (category, size, expected) => {
  const server = await smallServer(fileRoutes);
  const { status, body } = await send(server, uploadForm(category, { size }));
  expect(status).toBe(expected);
  if (status === 400) expect(body.errors[0].message).toMatch(/^file must have 1(0000)? to 4000000 bytes$/);
});

test('POST /files: refuses more than 4 MiB, in one part or many', async () => {
  const server = await smallServer(fileRoutes);
  const { status, body, headers } = await send(server, uploadForm('Evidence', { size: 4 * 2 ** 20 }));
  expect([status, body.errors]).toEqual([
    413,
    [{ code: 'bad_request', message: 'the body is larger than 4 MiB' }],
  ]);
  expect(headers['connection']).toBe('close');

  const { bytes, contentType } = await encodeForm(uploadForm('Evidence', { size: 5 * 2 ** 20 }));
  const chunked = await server.http.inject({
    method: 'POST',
    url: '/v1/files',
    headers: { authorization: server.services.settings.secretKey, 'content-type': contentType },
    // A stream does not say how long it is.
    payload: Readable.from([bytes]),
  });
  expect(chunked.statusCode).toBe(413);
});

test.each([
  [undefined, 'category is required'],
  ['Report', 'category must be one of: [Evidence, VerificationDocument]'],
  ['', 'category must be one of'],
])('POST /files: refuses category %j', async (category, message) => {
  const server = await smallServer(fileRoutes);
  const { status, body } = await send(server, uploadForm(category));
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(body.errors[0].message).toContain(message);
});

test('POST /files: refuses a form without a file', async () => {
  const server = await smallServer(fileRoutes);
  const forms = [new FormData(), new FormData(), new FormData()];
  forms[1]!.set('file', 'just text');
  forms[2]!.set('document', new File(['%PDF'], 'x.pdf', { type: 'application/pdf' }));
  for (const form of forms) {
    form.set('category', 'Evidence');
    const { status, body } = await send(server, form);
    expect([status, body.errors[0]]).toEqual([
      400,
      { code: 'invalid_field', message: 'file is required, with a file name' },
    ]);
  }
});

test.each([
  [
    Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`metadata[k${n}]`, 'v'])),
    'metadata must have at most 10',
  ],
  [{ [`metadata[${'k'.repeat(31)}]`]: 'v' }, 'metadata has a key'],
  [{ 'metadata[]': 'v' }, 'metadata has a key'],
  [{ 'metadata[k]': 'v'.repeat(251) }, 'metadata.k must'],
  [{ 'metadata[k]': '' }, 'metadata.k must'],
  [{ 'metadata[k]': 'a\u0000b' }, 'metadata.k must not contain the character U+0000'],
])('POST /files: refuses %j', async (more, message) => {
  const server = await smallServer(fileRoutes);
  const { status, body } = await send(server, uploadForm('Evidence', {}, more));
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(body.errors[0].message).toContain(message);
});

test('POST /files: ignores unknown parts', async () => {
  const server = await smallServer(fileRoutes);
  const more = { purpose: 'dispute', 'metadata[a[0]]': 'b', 'meta[a]': 'c' };
  const { status, body } = await send(server, uploadForm('Evidence', {}, more));
  expect([status, body.metadata]).toEqual([200, { 'a[0]': 'b' }]);
});

test('POST /files: refuses a metadata key that no object can hold', async () => {
  const server = await smallServer(fileRoutes);
  const { status, body } = await send(server, uploadForm('Evidence', {}, { 'metadata[__proto__]': 'x' }));
  expect([status, body.errors[0]]).toMatchObject([
    400,
    { code: 'invalid_field', message: 'metadata must not have a member named __proto__' },
  ]);
});

const BOUNDARY = 'multipart/form-data; boundary=b';

test.each([
  ['no boundary', 'anything', 'multipart/form-data', 400, 'bad_request'],
  ['nothing of a form', 'anything', BOUNDARY, 400, 'bad_request'],
  [
    'half a form',
    '--b\r\nContent-Disposition: form-data; name="category"\r\n\r\nEvid',
    BOUNDARY,
    400,
    'bad_request',
  ],
  ['an empty form', '', BOUNDARY, 400, 'invalid_field'],
  [
    'a reserved name',
    '--b\r\nContent-Disposition: form-data; name="toString"\r\n\r\nx\r\n--b--\r\n',
    BOUNDARY,
    400,
    'bad_request',
  ],
  ['JSON', '{"category":"Evidence"}', 'application/json', 415, 'unsupported_media_type'],
  ['nothing at all', '', null, 415, 'unsupported_media_type'],
])('POST /files: refuses %s', async (_what, raw, contentType, status, code) => {
  const server = await smallServer(fileRoutes);
  const answer = await sendRaw(server, raw, contentType);
  expect([answer.status, answer.body.errors[0].code]).toEqual([status, code]);
});

test('POST /files: refuses two files and too many parts', async () => {
  const server = await smallServer(fileRoutes);
  const two = uploadForm('Evidence');
  two.append('file', new File(['x'], 'y.png', { type: 'image/png' }));
  expect((await send(server, two)).status).toBe(400);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field${n}`, 'v']));
  expect((await send(server, uploadForm('Evidence', {}, many))).status).toBe(400);
});

test('POST /files: refuses an unauthorised caller before reading the form', async () => {
  const server = await smallServer(fileRoutes);
  const { bytes, contentType } = await encodeForm(uploadForm('Evidence'));
  const answer = await server.call('POST /v1/files', {
    raw: bytes,
    headers: { 'content-type': contentType, authorization: null },
  });
  expect(answer.status).toBe(401);
});

test(
  'GET /files: returns files newest first, by category when asked',
  { tags: ['spec:4.13/GET/files'] },
  async () => {
    const server = await smallServer(fileRoutes);
    for (const category of ['Evidence', 'VerificationDocument', 'Evidence'])
      await send(server, uploadForm(category));
    const categories = async (query: string) =>
      (await server.call(`GET /v1/files${query}`)).body.items.map(
        (file: { category: string }) => file.category,
      );
    expect(await categories('')).toEqual(['Evidence', 'VerificationDocument', 'Evidence']);
    expect(await categories('?category=VerificationDocument')).toEqual(['VerificationDocument']);
    expect(await categories('?category=Report')).toEqual([]);
    const page = (await server.call('GET /v1/files?limit=1&category=Evidence')).body;
    const next = await server.call(
      `GET /v1/files?limit=5&category=Evidence&startsAfter=${page.paginationToken}`,
    );
    expect(next.body).toMatchObject({ items: [{ category: 'Evidence' }], paginationToken: null });
    expect((await server.call('GET /v1/files?category=Photo')).status).toBe(400);
    expect((await server.call('GET /v1/files?limit=51')).status).toBe(400);
  },
);

test('GET /files/{id}: finds a file under the account that it was uploaded for', async () => {
  const server = await smallServer(fileRoutes);
  const headers = { account: server.subAccountId };
  const { body } = await send(server, uploadForm('Evidence'), server.subAccountId);
  expect((await server.call(`GET /v1/files/${body.id}`, { headers })).status).toBe(200);
  expect((await server.call(`GET /v1/files/${body.id}`)).status).toBe(404);
  expect((await server.call('GET /v1/files')).body.items).toEqual([]);
  expect((await server.call('GET /v1/files/fl_none')).body.errors[0].message).toBe('no such file');
});

test('POST /files: stores the digest of the bytes, not the bytes', async () => {
  const server = await smallServer(fileRoutes);
  await send(server, uploadForm('Evidence', { size: 3 }));
  const row = await server.services.store.get('SELECT * FROM files');
  expect(row).toMatchObject({
    size_bytes: 3,
    digest: '6a7dc6f4267242f01f6636a45c31da51c036da1e9879abce7e1d0aaa76aad876',
  });
});
