import { expect, test } from 'vitest';
import {
  hasHidden,
  hiddenPaths,
  pathText,
  withValues,
  fieldsOf,
  formDataOf,
  uploadFormOf,
} from '../../../../server/dashboard/page/requests/stored-body.ts';
import { LANGUAGES, requestCode } from '../../../../server/dashboard/page/requests/request-code.ts';
import { shortPath } from '../../../../server/dashboard/page/requests/request-row.tsx';

test.each([
  [
    '/v1/in-person/terminals/tml_01M86WGPVF9Y422HM16P34T1YE/payment',
    '/v1/in-person/terminals/tml_…T1YE/payment',
  ],
  ['/v1/accounts/ac_13e73c68-0b69-48e2-8c06-61efd8da642b', '/v1/accounts/ac_…642b'],
  [
    '/sandbox/actions/tmlact_01M86WG7CJT4EHW3T2QJVS9THK_01M86WG7CJT4EHW3T2QJVS9THM',
    '/sandbox/actions/tmlact_…9THM',
  ],
  ['/v1/payment-sessions/attempt-payment', '/v1/payment-sessions/attempt-payment'],
  ['/v1/customers/%zz', '/v1/customers/%zz'],
])('short path: %s is shown as %s', (path, shown) => {
  expect(shortPath(path)).toBe(shown);
});

test('hidden values: are found by their paths and replaced', () => {
  const body = { card: { number: '424242··4242', cvc: '··' }, keys: ['•', 'enter'], name: 'Ana' };
  expect(hiddenPaths(body).map(pathText)).toEqual(['card.number', 'card.cvc', 'keys.0']);
  const values = new Map([
    ['card.number', '4242424242424242'],
    ['keys.0', '1'],
  ]);
  expect(withValues(body, values)).toEqual({
    card: { number: '4242424242424242', cvc: '··' },
    keys: ['1', 'enter'],
    name: 'Ana',
  });
  expect([hasHidden('sk_··'), hasHidden('sk_1')]).toEqual([true, false]);
});

test.each(LANGUAGES)(
  'request code: %s reads the key from the environment, and only where there is one',
  (language) => {
    const request = { method: 'GET', url: 'http://127.0.0.1/v1/events', headers: {}, body: undefined };
    expect(requestCode(language, { ...request, hasKey: true })).toContain('SECRET_KEY');
    expect(requestCode(language, { ...request, hasKey: false })).not.toContain('SECRET_KEY');
  },
);

test('request code: a body keeps its types in every language', () => {
  const body = { yes: true, none: null, list: [1.5, {}], quote: `it's "$x" \\` };
  const code = (language: (typeof LANGUAGES)[number]) =>
    requestCode(language, { method: 'POST', url: 'http://127.0.0.1', headers: {}, body, hasKey: false });
  expect(code('Python')).toContain(
    String.raw`json.dumps({"yes": True, "none": None, "list": [1.5, {}], "quote": "it's \"$x\" \\"}).encode()`,
  );
  expect(code('PHP')).toContain(
    String.raw`json_encode(['yes' => true, 'none' => null, 'list' => [1.5, new stdClass()], 'quote' => 'it\'s "$x" \\'])`,
  );
  expect(code('curl')).toContain(`"quote": "it'\\''s`);
  expect(code('Node')).toContain('"list": [');
});

const FILE = { name: 'letter "1".pdf', contentType: 'application/pdf', sizeInBytes: 8 };

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' };

test('upload form: a stored multipart request has its fields and the name, type and size of its file', () => {
  const body = { category: 'Evidence', metadata: { order: '4711' }, file: FILE };
  const form = uploadFormOf({ headers: MULTIPART, body });
  expect(form).toEqual({ members: { category: 'Evidence', metadata: { order: '4711' } }, file: FILE });
  expect(fieldsOf(form!.members)).toEqual([
    ['category', 'Evidence'],
    ['metadata[order]', '4711'],
  ]);
  const unread = { members: {}, file: undefined };
  expect(uploadFormOf({ headers: MULTIPART, body: null })).toEqual(unread);
  expect(uploadFormOf({ headers: { 'content-type': 'application/json' }, body })).toBeUndefined();
});

test('upload form: is sent with the fields and the file that was chosen', () => {
  const file = new File(['%PDF-1.4'], 'letter.pdf', { type: 'application/pdf' });
  const data = formDataOf({ category: 'Evidence', metadata: { order: '4711' } }, file);
  expect([...data]).toEqual([
    ['category', 'Evidence'],
    ['metadata[order]', '4711'],
    ['file', file],
  ]);
  expect([...formDataOf({ category: 'Evidence' }, undefined).keys()]).toEqual(['category']);
});

test('request code: a form without a file sends its fields alone', () => {
  const form = { members: { category: 'Evidence' }, file: undefined };
  const request = { method: 'POST', url: 'http://127.0.0.1', headers: {}, body: undefined, form };
  for (const language of LANGUAGES) {
    const code = requestCode(language, { ...request, hasKey: false });
    expect(code).toContain('category');
    expect(code).not.toMatch(/readFileSync|open\("|file_get_contents\('(?!http)|--form '/);
  }
});
