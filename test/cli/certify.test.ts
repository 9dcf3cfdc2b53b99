import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CertificateCase } from '../../cli/certify/certificate.ts';
import { ENDPOINT_CASES } from '../../cli/certify/endpoint/endpoint-cases.ts';
import { DEVICE_ACTS } from '../../cli/certify/device/operator.ts';
import { DEVICE_CASES } from '../../cli/certify/device/device-cases.ts';
import { runCases } from '../../cli/certify/run-cases.ts';

test('certify: the documentation has each case of an endpoint with its rule, in their order', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/certify-endpoint.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(endpoint\.[a-z-]+)` +\| (.*?) +\|$/gm)].map(([, id, rule]) => [
    id,
    rule,
  ]);
  expect(rows).toEqual(ENDPOINT_CASES.map(({ id, rule }) => [id, rule]));
});

test('certify: the documentation has each case of a device with its rules, and each act, in their order', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/certify-device.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(device\.[a-z.-]+)` +\| (.*?) +\|$/gm)].map(([, id, rules]) => [
    id,
    rules,
  ]);
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  expect(rows).toEqual(DEVICE_CASES.map(({ id, shows }) => [id, quoted(shows)]));
  const acts = [...page.matchAll(/^\| `([a-z-]+)(?: 1234)?` +\|/gm)].map(([, act]) => act);
  expect(acts).toEqual(Object.keys(DEVICE_ACTS));
});

test('certify: a case whose needs have not passed, or that throws, is not shown, and says why', async () => {
  const passes = () => Promise.resolve({ verdict: 'passed' as const, reason: 'seen' });
  const cases: CertificateCase<null>[] = [
    { id: 'a', rule: 'A.', needs: [], run: passes },
    { id: 'b', rule: 'B.', needs: ['a'], run: () => Promise.reject(new Error('no books')) },
    { id: 'c', rule: 'C.', needs: ['b'], run: passes },
    { id: 'd', rule: 'D.', needs: ['a'], run: passes },
  ];
  const opened: string[] = [];
  const results = await runCases(cases, {
    only: ['c'],
    open: (id) =>
      Promise.resolve((opened.push(id), { bench: null, close: () => Promise.resolve(`${id}.trace`) })),
    onResult: () => {},
    interrupted: new AbortController().signal,
  });
  expect(results.map(({ id, verdict, reason, trace }) => [id, verdict, reason, trace])).toEqual([
    ['a', 'passed', 'seen', 'a.trace'],
    ['b', 'not shown', 'no books', 'b.trace'],
    ['c', 'not shown', 'it needs b, which did not pass', null],
  ]);
  expect(opened).toEqual(['a', 'b']);
});
