import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { installOutside } from './outside-program.ts';

const PORT_OF_LIBRARY = 8_443;
const POI = 'P400Plus-123456789';
const KEY = {
  AdyenCryptoVersion: 1,
  KeyIdentifier: 'tapbench',
  KeyVersion: 1,
  Passphrase: 'tapbench-local-passphrase',
};

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let adyen: Json;
let clearApi: Json;
beforeAll(async () => {
  const load = await installOutside(fixture, '@adyen/api-library');
  adyen = load('@adyen/api-library');
  clearApi = load('@adyen/api-library/lib/src/services/terminalLocalAPIUnencrypted').default;
});

/** Starts the twin of a terminal, and gives it an address of its own with the port that the library asks for. */
async function startTerminal(card = 'visa-contactless') {
  const keys = new PassThrough();
  const twin = fixture.command(['twin', 'nexo', '--tcp', '0', '--card', card], { input: keys });
  const [, port] = await twin.prints(/tcp:\/\/127\.0\.0\.1:(\d+)/);
  const type = (line: string) => void keys.write(`${line}\n`);
  type('authority');
  const [authority] = await waitFor('the authority of the terminal', () =>
    /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n/.exec(twin.stdout),
  );
  const caFile = join(fixture.folder(), 'authority.pem');
  writeFileSync(caFile, authority);
  const host = await passOn(Number(port));
  return { twin, type, caFile, host };
}

/** Passes connections to the library's port, at an address of the loopback that no other test has, on to a port. */
async function passOn(port: number): Promise<string> {
  for (;;) {
    const host = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`;
    const open = new Set<Socket>();
    const server = createServer((till) => {
      const terminal = connect({ host: '127.0.0.1', port });
      open.add(till.once('close', () => open.delete(till)));
      till.pipe(terminal).pipe(till);
      till.on('error', () => terminal.destroy());
      terminal.on('error', () => till.destroy());
    });
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(PORT_OF_LIBRARY, host, () => resolve(true));
    });
    if (!listens) continue;
    fixture.onCleanUp(() => {
      open.forEach((till) => till.destroy());
      server.close();
    });
    return host;
  }
}

let services = 0;

/** A till with the library, in clear or encrypted. */
function tillAt({ host, caFile }: { host: string; caFile: string }, way: 'in clear' | 'encrypted') {
  const client = new adyen.Client(
    new adyen.Config({
      apiKey: 'none',
      environment: 'TEST',
      terminalApiLocalEndpoint: `https://${host}`,
      ...(way === 'encrypted' && { certificatePath: caFile }),
    }),
  );
  const api = way === 'encrypted' ? new adyen.TerminalLocalAPI(client) : new clearApi(client);
  return async (category: string, body: object, id?: string): Promise<Json> => {
    services += 1;
    const request = {
      SaleToPOIRequest: {
        MessageHeader: {
          ProtocolVersion: '3.0',
          MessageClass: 'Service',
          MessageCategory: category,
          MessageType: 'Request',
          ServiceID: id ?? String(services),
          SaleID: 'TILL1',
          POIID: POI,
        },
        [`${category}Request`]: body,
      },
    };
    const answer = await api.request(request, KEY);
    return answer.SaleToPOIResponse?.[`${category}Response`];
  };
}

const payment = (amount: number) => ({
  SaleData: {
    SaleTransactionID: { TransactionID: `sale-${amount}`, TimeStamp: '2026-11-30T07:00:00+00:00' },
  },
  PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: amount } },
});

test.each(['in clear', 'encrypted'] as const)(
  'nexo library, %s: a payment is approved, asked for again and reversed',
  async (way) => {
    const ask = tillAt(await startTerminal(), way);
    const paid = await ask('Payment', payment(17.42), 'PAY1');
    expect(paid).toMatchObject({
      Response: { Result: 'Success' },
      PaymentResult: { AmountsResp: { Currency: 'EUR', AuthorizedAmount: 17.42 } },
    });
    const status = await ask('TransactionStatus', {
      MessageReference: { MessageCategory: 'Payment', ServiceID: 'PAY1', SaleID: 'TILL1', POIID: POI },
    });
    expect(status).toMatchObject({
      Response: { Result: 'Success' },
      RepeatedMessageResponse: {
        RepeatedResponseMessageBody: {
          PaymentResponse: { POIData: paid.POIData, Response: { Result: 'Success' } },
        },
      },
    });
    const reversed = await ask('Reversal', {
      OriginalPOITransaction: { POITransactionID: paid.POIData.POITransactionID },
      ReversalReason: 'MerchantCancel',
    });
    expect(reversed).toMatchObject({ Response: { Result: 'Success' } });
  },
);

test.each(['in clear', 'encrypted'] as const)(
  'nexo library, %s: a payment that the bank declines is refused',
  async (way) => {
    const ask = tillAt(await startTerminal(), way);
    expect(await ask('Payment', payment(9.01))).toMatchObject({
      Response: { Result: 'Failure', ErrorCondition: 'Refusal' },
    });
  },
);

test.each(['in clear', 'encrypted'] as const)(
  'nexo library, %s: a payment that waits for a card is aborted',
  async (way) => {
    const terminal = await startTerminal('none');
    const ask = tillAt(terminal, way);
    const paying = ask('Payment', payment(17.42), 'PAY2');
    const about = {
      MessageReference: { MessageCategory: 'Payment', ServiceID: 'PAY2', SaleID: 'TILL1', POIID: POI },
    };
    await waitFor('the payment to run', async () => {
      const { Response } = await ask('TransactionStatus', about);
      return Response.ErrorCondition === 'InProgress';
    });
    const aborted = await ask('Abort', {
      AbortReason: 'MerchantAbort',
      ...about,
    });
    expect(aborted).toBeUndefined();
    expect(await paying).toMatchObject({ Response: { Result: 'Failure', ErrorCondition: 'Aborted' } });
  },
);

test.each(['in clear', 'encrypted'] as const)(
  'nexo library, %s: a text is printed at the terminal',
  async (way) => {
    const terminal = await startTerminal();
    const printed = await tillAt(terminal, way)('Print', {
      PrintOutput: {
        DocumentQualifier: 'Document',
        ResponseMode: 'PrintEnd',
        OutputContent: { OutputFormat: 'Text', OutputText: [{ Text: 'Table 12' }] },
      },
    });
    expect(printed).toMatchObject({ Response: { Result: 'Success' } });
    terminal.type('receipts');
    await terminal.twin.prints(/Table 12/);
  },
);

test('nexo library: it does not trust a terminal of another authority, and another passphrase is refused', async () => {
  const terminal = await startTerminal();
  const strange = join(fixture.folder(), 'other.pem');
  writeFileSync(strange, rootCertificates[0]!);
  await expect(tillAt({ ...terminal, caFile: strange }, 'encrypted')('Payment', payment(1))).rejects.toThrow(
    /certificate/,
  );
  terminal.type('passphrase another-passphrase');
  await expect(tillAt(terminal, 'encrypted')('Payment', payment(1))).rejects.toThrow(/crypto error/);
});
