import { expect, test } from 'vitest';
import { sendAgain } from '../../../../server/platform/outbox/send-again.ts';
import { attemptsInLog, loggedReply } from '../../../../server/platform/outbox/attempt-log.ts';
import { startEventServer } from './event-server.ts';

test('attempt log: a reply is stored without secrets, and bounded', () => {
  const headers = {
    'content-type': 'text/plain',
    'set-cookie': ['session=abc123; Path=/', 'other=1'],
    location: 'https://shop.example/login?token=t0ken',
    'x-long': 'y'.repeat(1_000),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'z'])),
  };
  const body = `{"key": "sk_sandbox_123456789", "password": "open", "note": "fine"} ${'x'.repeat(3_000)}`;
  const reply = loggedReply({ status: 500, headers, body, isCut: false }, [])!;
  const stored = JSON.stringify(reply);
  for (const secret of ['abc123', 't0ken', 'sk_sandbox_1', 'open']) expect(stored).not.toContain(secret);
  expect(reply).toMatchObject({ status: 500, headers: { 'content-type': 'text/plain' }, isCut: true });
  expect(reply.body).toMatch(/"note": "fine"/);
  expect(reply.body.length).toBeLessThan(2_010);
  expect(Object.keys(reply.headers).length).toBeLessThanOrEqual(31);
  expect(String(reply.headers['x-long']).length).toBeLessThan(310);
});

test('attempt log: the oldest attempts are dropped when there are very many, and the others keep their numbers', async () => {
  const server = await startEventServer();
  const { id: webhookId } = await server.register('/hook', ['Customer.created']);
  server.outgoing.reply = { headers: {}, body: 'é'.repeat(3_000), isCut: true };
  const eventId = await server.record('Customer.created');
  await server.settled();
  for (let sent = 0; sent < 39; sent += 1) await sendAgain(server.services, { eventId, webhookId });
  const row = await server.services.store.get<{ attempts: number; attempt_log: string }>(
    'SELECT attempts, attempt_log FROM deliveries',
  );
  expect(row!.attempt_log.length).toBeLessThan(60_000);
  const attempts = attemptsInLog(row!.attempt_log, row!.attempts);
  expect(attempts.length).toBeGreaterThan(15);
  expect(attempts.map(({ number }) => number)).toEqual(
    Array.from({ length: attempts.length }, (_, index) => 41 - attempts.length + index),
  );
});

test('attempt log: attempts of an earlier version have no line', () => {
  expect(attemptsInLog('', 3)).toEqual([]);
});
