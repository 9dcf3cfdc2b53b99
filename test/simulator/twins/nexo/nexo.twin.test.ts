import { request } from 'node:https';
import { createConnection } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTcpTwin } from '../../../../cli/readers/plugged-twin.ts';
import { SystemClock } from '../../../../protocol/clock.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { createLog, silentLog } from '../../../../protocol/log.ts';
import { createChipCard } from '../../../../simulator/cards/chip-card-registry.ts';
import * as module from '../../../../simulator/twins/nexo.twin.ts';
import { memoryOf } from '../../../../simulator/twins/stand-alone/journal.ts';
import { createCardTray } from '../../../../simulator/twins/twin.ts';

const COMMON_NAME =
  /^([A-Za-z0-9]+-[A-Za-z0-9]+|legacy-terminal-certificate)\.(test|live)\.terminal\.adyen\.com$/;

/** The terminal on a port of its own, and a till that checks its certificate as the library of the acquirer does. */
async function open(log = silentLog) {
  const tray = createCardTray();
  const twin = await startTcpTwin({
    ...module,
    port: 0,
    manyConnections: true,
    clock: new SystemClock(),
    random: seededRandom('twin'),
    log,
    tray,
  });
  onTestFinished(() => twin.close());
  const ca = String(module.controlsOf(tray)['authority']!.run());
  const { port } = new URL(twin.address);
  const post = (category: string, body: object, serviceId: string, path = '/nexo/') =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method: 'POST',
          ca,
          agent: false,
          headers: { 'content-type': 'application/json', 'x-api-key': 'any', connection: 'close' },
          checkServerIdentity: (_, certificate) =>
            COMMON_NAME.test(String(certificate.subject.CN))
              ? undefined
              : checkServerIdentity('nobody', certificate),
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => (text += String(part)));
          response.on('end', () => resolve({ status: response.statusCode, text }));
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      // In two parts, so that the body is chunked.
      const text = JSON.stringify({
        SaleToPOIRequest: {
          MessageHeader: {
            ProtocolVersion: '3.0',
            MessageClass: 'Service',
            MessageCategory: category,
            MessageType: 'Request',
            ServiceID: serviceId,
            SaleID: 'TILL1',
            POIID: 'P400Plus-123456789',
          },
          [`${category}Request`]: body,
        },
      });
      call.write(text.slice(0, 50));
      call.end(text.slice(50));
    });
  /** Sends a part of a request, and hangs up. */
  const hangUp = () => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: '/nexo/',
      method: 'POST',
      ca,
      agent: false,
      checkServerIdentity: () => undefined,
    });
    call.on('error', () => {});
    call.write('{', () => call.socket?.end());
  };
  return {
    tray,
    twin,
    post,
    hangUp,
    memory: memoryOf(tray),
    control: (name: string, word?: string) => twin.controls[name]!.run(word),
  };
}

const PAYMENT = {
  SaleData: { SaleTransactionID: { TransactionID: 'T1', TimeStamp: '2026-11-27T04:00:00.000Z' } },
  PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 12.5 } },
};
const STATUS = { MessageReference: { MessageCategory: 'Payment', SaleID: 'TILL1', ServiceID: 'P1' } };

test('nexo twin over TLS: answers chunked requests, and aborts a payment from a second connection', async () => {
  const shop = await open();
  const paid = shop.post('Payment', PAYMENT, 'P1');
  await vi.waitUntil(() => shop.memory.timeline.length > 0);
  expect((await shop.post('TransactionStatus', STATUS, 'S1')).text).toContain('InProgress');
  expect(await shop.post('Abort', STATUS, 'A1')).toEqual({ status: 200, text: '' });
  const { status, text } = await paid;
  expect(status).toBe(200);
  expect(text).toContain('"ErrorCondition":"Aborted"');
});

test('nexo twin over TLS: the line is cut once the card is charged, and the status has the result', async () => {
  const shop = await open();
  shop.tray.insert(createChipCard('visa-contactless')!);
  shop.control('fault-after-approval', 'cut');
  await expect(shop.post('Payment', PAYMENT, 'P1')).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(shop.memory.journal).toHaveLength(1);
  const { text } = await shop.post('TransactionStatus', STATUS, 'S1');
  expect(text).toContain('"AuthorizedAmount":12.5');
});

test('nexo twin over TLS: another path is named in an error', async () => {
  const shop = await open();
  const { status, text } = await shop.post('Diagnosis', {}, 'D1', '/other');
  expect([status, JSON.parse(text)]).toEqual([404, { errors: ['request, path: /nexo/ is expected'] }]);
  expect((await shop.post('Diagnosis', {}, 'D2', '/nexo')).status).toBe(200);
});

test('nexo twin over TLS: a till that hangs up within a request is no error of the terminal', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const shop = await open(log);
  shop.hangUp();
  await vi.waitUntil(() => lines.some((line) => line.includes('disconnected')));
  expect(lines.map((line) => JSON.parse(line).level)).not.toContain(log.levels.values['error']);
});

test('nexo twin over TLS: a connection without TLS is named at its own terminal, after one of another terminal', async () => {
  const other = await open();
  expect((await other.post('Diagnosis', {}, 'D1')).status).toBe(200);
  const shop = await open();
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(shop.twin.address).port) });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await vi.waitFor(() => expect(shop.control('timeline')).toContain('message refused (TLS: '));
  expect(other.control('timeline')).not.toContain('TLS');
  expect((await shop.post('Diagnosis', {}, 'D2')).status).toBe(200);
});
