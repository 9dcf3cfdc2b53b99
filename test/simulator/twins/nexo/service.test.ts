import { expect, test } from 'vitest';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { createChipCard } from '../../../../simulator/cards/chip-card-registry.ts';
import { decryptText, encryptText } from '../../../../simulator/twins/nexo/encryption.ts';
import { createNexoService, type NexoState } from '../../../../simulator/twins/nexo/service.ts';
import { setPaper } from '../../../../simulator/twins/stand-alone/journal.ts';
import { createStandAloneDevice } from '../../../../simulator/twins/stand-alone/stand-alone-device.ts';
import { createCardTray } from '../../../../simulator/twins/twin.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const KEY = { passphrase: 'tapbench-local-passphrase', identifier: 'till', version: 1 };
const POI_ID = 'P400Plus-123456789';
const A_SALE_MS = 2_000;

const headerOf = (category: string, serviceId: string, change: object = {}) => ({
  ProtocolVersion: '3.0',
  MessageClass: 'Service',
  MessageCategory: category,
  MessageType: 'Request',
  ServiceID: serviceId,
  SaleID: 'TILL1',
  POIID: POI_ID,
  ...change,
});

/** A service in virtual time, and a till that sends it messages. */
function fixture() {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const tray = createCardTray();
  const [, port] = bytePipe({ clock });
  const random = seededRandom('nexo');
  const device = createStandAloneDevice({ port, clock, random, log: silentLog, tray }, { language: 'en' });
  const state: NexoState = {
    key: KEY,
    poiId: POI_ID,
    takesClear: true,
    running: undefined,
  };
  const handle = createNexoService({ clock, random, device, state });
  const requestText = (category: string, body: object, serviceId: string, change?: object) =>
    JSON.stringify({
      SaleToPOIRequest: {
        MessageHeader: headerOf(category, serviceId, change),
        [`${category}Request`]: body,
      },
    });
  return {
    clock,
    state,
    device,
    memory: device.memory,
    handle,
    requestText,
    present: (card: string) => tray.insert(createChipCard(card)!),
    timeline: () => String(device.controls['timeline']!.run()),
    /** Sends a message in clear. @returns the body of the response. */
    async send(category: string, body: object, serviceId = '1', ms = A_SALE_MS): Promise<Json> {
      const [{ text }] = await Promise.all([
        handle(requestText(category, body, serviceId)),
        clock.advance(ms),
      ]);
      if (text === '') return undefined;
      const response = JSON.parse(text).SaleToPOIResponse;
      expect(response.MessageHeader).toEqual({ ...headerOf(category, serviceId), MessageType: 'Response' });
      return response[`${category}Response`];
    },
  };
}

const SALE_DATA = { SaleTransactionID: { TransactionID: 'T1', TimeStamp: '2026-11-27T04:00:00.000Z' } };
const payment = (amount: unknown = 12.5, currency = 'EUR', type?: string) => ({
  SaleData: SALE_DATA,
  PaymentTransaction: { AmountsReq: { Currency: currency, RequestedAmount: amount } },
  ...(type && { PaymentData: { PaymentType: type } }),
});
const reversal = (id: string, amount?: number) => ({
  OriginalPOITransaction: { POITransactionID: { TransactionID: id, TimeStamp: '2026-11-20T12:00:01.000Z' } },
  ReversalReason: 'MerchantCancel',
  ...(amount !== undefined && { ReversedAmount: amount }),
});

test('nexo twin: a payment succeeds, with the amount, the masked card and both receipts', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  const response = await shop.send('Payment', payment());
  expect(response).toMatchObject({
    Response: { Result: 'Success', AdditionalResponse: 'tid=52500041' },
    SaleData: SALE_DATA,
    POIData: { POITransactionID: { TransactionID: expect.stringMatching(/^TB0001\d+\.\d{16}$/) } },
    PaymentResult: {
      AmountsResp: { AuthorizedAmount: 12.5, Currency: 'EUR' },
      OnlineFlag: true,
      PaymentInstrumentData: {
        CardData: { EntryMode: ['Contactless'], MaskedPan: '401200 **** 0085', PaymentBrand: 'visa' },
      },
    },
  });
  expect(response.PaymentReceipt.map((one: Json) => one.DocumentQualifier)).toEqual([
    'CashierReceipt',
    'CustomerReceipt',
  ]);
  expect(JSON.stringify(response.PaymentReceipt)).toContain('name=EUR&value=12.50');
  expect(JSON.stringify(response)).not.toMatch(/401200[0-9]{6}0085/);
  expect(shop.memory.journal).toMatchObject([{ amountMinor: 1250 }]);
});

test('nexo twin: takes the published request of a payment, letter for letter', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  const published =
    '{"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service","MessageCategory":"Payment","MessageType":"Request","ServiceID":"1","SaleID":"TILL1","POIID":"P400Plus-123456789"},"PaymentRequest":{"SaleData":{"SaleTransactionID":{"TransactionID":"T1","TimeStamp":"2026-11-27T04:00:00.000Z"}},"PaymentTransaction":{"AmountsReq":{"Currency":"EUR","RequestedAmount":12.5}}}}}';
  const [{ status, text }] = await Promise.all([shop.handle(published), shop.clock.advance(A_SALE_MS)]);
  expect(status).toBe(200);
  expect(JSON.parse(text).SaleToPOIResponse).toMatchObject({
    MessageHeader: { MessageType: 'Response', MessageCategory: 'Payment', ServiceID: '1' },
    PaymentResponse: {
      Response: { Result: 'Success', AdditionalResponse: expect.stringMatching(/^tid=/) },
      PaymentResult: { AmountsResp: { AuthorizedAmount: 12.5, Currency: 'EUR' }, OnlineFlag: true },
    },
  });
});

test.each([
  [19.01, 'Refusal', 'refusalReason=210%20Not%20enough%20balance'],
  [19.02, 'Refusal', 'refusalReason=228%20Card%20expired'],
  [19.09, 'Refusal', 'refusalReason=214%20Declined%20(57)'],
])('nexo twin: a payment of %s is refused', async (amount, condition, reason) => {
  const shop = fixture();
  shop.present('visa-contactless');
  const response = await shop.send('Payment', payment(amount));
  expect(response.Response).toEqual({
    Result: 'Failure',
    ErrorCondition: condition,
    AdditionalResponse: `message=Declined&${reason}`,
  });
  expect(response.PaymentResult).toBeUndefined();
});

test('nexo twin: a wrong PIN too often is refused', async () => {
  const shop = fixture();
  shop.present('visa-contact-pin');
  const paid = shop.send('Payment', payment(), '1', 0);
  for (let wrong = 0; wrong < 3; wrong += 1) {
    await shop.clock.advance(500);
    shop.device.controls['type']!.run('9999');
    shop.device.controls['confirm']!.run();
  }
  await shop.clock.advance(A_SALE_MS);
  expect((await paid).Response).toMatchObject({ ErrorCondition: 'WrongPIN' });
});

test('nexo twin: an abort ends the payment that runs, and no other', async () => {
  const shop = fixture();
  const paid = shop.send('Payment', payment(), 'P1', 0);
  const abort = (id: string) => ({
    AbortReason: 'MerchantAbort',
    MessageReference: { MessageCategory: 'Payment', SaleID: 'TILL1', ServiceID: id },
  });
  expect(await shop.send('Abort', abort('P2'), 'A1', 100)).toBeUndefined();
  expect((await shop.send('TransactionStatus', {}, 'S1', 100)).Response.ErrorCondition).toBe('InProgress');
  expect(await shop.send('Abort', abort('P1'), 'A2', 100)).toBeUndefined();
  expect((await paid).Response).toEqual({
    Result: 'Failure',
    ErrorCondition: 'Aborted',
    AdditionalResponse: 'message=104%20Merchant%20cancelled',
  });
});

test.each([
  ['the cardholder cancels', 'Cancel', 'cancel'],
  ['nobody presents a card', 'Cancel', undefined],
])('nexo twin: when %s the payment ends with %s', async (_, condition, key) => {
  const shop = fixture();
  const paid = shop.send('Payment', payment(), '1', 0);
  await shop.clock.advance(1_000);
  if (key) shop.device.controls[key]!.run();
  await shop.clock.advance(95_000);
  expect((await paid).Response.ErrorCondition).toBe(condition);
});

test('nexo twin: says of each transaction whether it runs, is over, or is not known', async () => {
  const shop = fixture();
  const asked = (id: string) => ({
    MessageReference: { MessageCategory: 'Payment', SaleID: 'TILL1', ServiceID: id },
  });
  expect((await shop.send('TransactionStatus', {}, 'S0')).Response.ErrorCondition).toBe('NotFound');
  shop.present('visa-contactless');
  const paid = await shop.send('Payment', payment(), 'P1');
  for (const body of [asked('P1'), {}]) {
    const status = await shop.send('TransactionStatus', body, 'S1');
    expect(status.Response).toEqual({ Result: 'Success' });
    expect(status.RepeatedMessageResponse).toMatchObject({
      MessageHeader: { MessageCategory: 'Payment', ServiceID: 'P1' },
      RepeatedResponseMessageBody: { PaymentResponse: paid },
    });
  }
  expect((await shop.send('TransactionStatus', asked('P2'), 'S2')).Response.ErrorCondition).toBe('NotFound');
  // A result is kept for two days.
  await shop.clock.advance(49 * 3_600_000);
  await shop.send('Payment', payment(), 'P3');
  expect((await shop.send('TransactionStatus', asked('P1'), 'S3')).Response.ErrorCondition).toBe('NotFound');
});

test('nexo twin: a second payment is busy, and the same message again has the same result', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  const first = shop.send('Payment', payment(), 'P1', 0);
  expect((await shop.send('Payment', payment(), 'P2', 0)).Response.ErrorCondition).toBe('Busy');
  expect((await shop.send('Diagnosis', {}, 'D1', 0)).POIStatus.GlobalStatus).toBe('Busy');
  await shop.clock.advance(A_SALE_MS);
  const paid = await first;
  expect(await shop.send('Payment', payment(), 'P1')).toEqual(paid);
  expect(shop.memory.journal).toHaveLength(1);
});

test('nexo twin: reverses a payment by its id, once, or pays a part of it back', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  const paid = await shop.send('Payment', payment(), 'P1');
  const id = paid.POIData.POITransactionID.TransactionID;
  expect((await shop.send('Reversal', reversal(id, 2.5), 'R1')).Response.Result).toBe('Success');
  expect(shop.memory.journal.at(-1)).toMatchObject({ kind: 'refund', amountMinor: 250 });
  expect((await shop.send('Reversal', reversal(id, 99), 'R2')).Response.ErrorCondition).toBe('MessageFormat');
  expect((await shop.send('Reversal', reversal(id.split('.')[0]), 'R3')).Response.Result).toBe('Success');
  expect((await shop.send('Reversal', reversal(id), 'R4')).Response.ErrorCondition).toBe('NotAllowed');
  expect((await shop.send('Reversal', reversal('TB99.1'), 'R5')).Response.ErrorCondition).toBe('NotFound');
});

test('nexo twin: refunds without a reference, and reconciles', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  await shop.send('Payment', payment(), 'P1');
  const refunded = await shop.send('Payment', payment(2, 'EUR', 'Refund'), 'P2');
  expect(refunded.PaymentResult.PaymentType).toBe('Refund');
  const totals = [
    { TransactionType: 'Debit', TransactionCount: 1, TransactionAmount: 12.5 },
    { TransactionType: 'Credit', TransactionCount: 1, TransactionAmount: 2 },
  ];
  const expected = [{ PaymentInstrumentType: 'Card', PaymentCurrency: 'EUR', PaymentTotals: totals }];
  expect((await shop.send('GetTotals', {}, 'T1')).TransactionTotals).toEqual(expected);
  expect((await shop.send('Reconciliation', {}, 'T2')).TransactionTotals).toEqual(expected);
  expect((await shop.send('GetTotals', {}, 'T3')).TransactionTotals).toEqual([]);
});

test('nexo twin: prints, shows and tells its state, also without paper', async () => {
  const shop = fixture();
  const output = (text: string) => ({
    OutputFormat: 'Text',
    OutputText: [{ Text: 'a', EndOfLineFlag: false }, { Text: text }],
  });
  const print = {
    PrintOutput: { DocumentQualifier: 'Document', ResponseMode: 'PrintEnd', OutputContent: output('b') },
  };
  expect(await shop.send('Print', print, '1')).toEqual({
    DocumentQualifier: 'Document',
    Response: { Result: 'Success' },
  });
  expect(shop.memory.printed).toEqual([['ab']]);
  setPaper(shop.memory, false);
  expect((await shop.send('Print', print, '2')).Response.ErrorCondition).toBe('DeviceOut');
  expect(await shop.send('Diagnosis', { HostDiagnosisFlag: true }, '3')).toMatchObject({
    POIStatus: { GlobalStatus: 'OK', PrinterStatus: 'NoPaper', CommunicationOKFlag: true },
    HostStatus: [{ IsReachableFlag: true }],
  });
  const display = {
    DisplayOutput: [{ Device: 'CashierDisplay', InfoQualify: 'Display', OutputContent: output('c') }],
  };
  expect((await shop.send('Display', display, '4')).OutputResult).toHaveLength(1);
  expect(shop.memory.display).toEqual(['ac']);
  for (const category of ['Login', 'Logout'])
    expect((await shop.send(category, {}, '5')).Response.Result).toBe('Success');
  expect(
    (await shop.send('EnableService', { TransactionAction: 'StartTransaction' }, '6')).Response.Result,
  ).toBe('Success');
});

test('nexo twin: answers an encrypted message with an encrypted one', async () => {
  const shop = fixture();
  const text = shop.requestText('Diagnosis', {}, '0001');
  const encrypted = {
    MessageHeader: headerOf('Diagnosis', '0001'),
    ...encryptText(text, KEY, seededRandom('till')),
  };
  const { status, text: answer } = await shop.handle(JSON.stringify({ SaleToPOIRequest: encrypted }));
  expect(status).toBe(200);
  const outer = JSON.parse(answer).SaleToPOIResponse;
  expect(outer.MessageHeader).toMatchObject({ MessageType: 'Response', ServiceID: '0001' });
  expect(answer).not.toContain('POIStatus');
  const clear = decryptText(outer, KEY);
  expect(JSON.parse('text' in clear ? clear.text : '{}')).toMatchObject({
    SaleToPOIResponse: {
      MessageHeader: outer.MessageHeader,
      DiagnosisResponse: { Response: { Result: 'Success' } },
    },
  });
});

test.each([
  ['another passphrase', { ...KEY, passphrase: 'other' }, '0001', 'crypto error (3)'],
  ['another key', { ...KEY, identifier: 'other' }, '0001', 'crypto error (9)'],
  ['another header inside', KEY, '0002', 'crypto error (3)'],
])('nexo twin: refuses a message with %s', async (_, key, serviceId, error) => {
  const shop = fixture();
  const encrypted = encryptText(shop.requestText('Diagnosis', {}, serviceId), key, seededRandom('till'));
  const envelope = { SaleToPOIRequest: { MessageHeader: headerOf('Diagnosis', '0001'), ...encrypted } };
  const { status, text } = await shop.handle(JSON.stringify(envelope));
  expect([status, JSON.parse(text)]).toEqual([400, { errors: [`Nexo Service: ${error}`] }]);
  expect(shop.timeline()).toContain('message refused');
  expect(shop.timeline()).not.toContain('passphrase-');
});

test('nexo twin: where clear messages are off, a clear one fails', async () => {
  const shop = fixture();
  shop.state.takesClear = false;
  expect((await shop.send('Payment', payment())).Response).toEqual({
    Result: 'Failure',
    ErrorCondition: 'MessageFormat',
    AdditionalResponse:
      'errors=At%20SaleToPOIRequest%2C%20field%20PaymentRequest%3A%20Missing&note=The%20message%20has%20to%20be%20encrypted',
  });
});

test('nexo twin: a body that is no JSON object is rejected by a notification', async () => {
  const { text } = await fixture().handle('not json');
  expect(JSON.parse(text)).toMatchObject({
    SaleToPOIRequest: {
      MessageHeader: { MessageCategory: 'Event', SaleID: 'N/A', POIID: 'N/A' },
      EventNotification: { EventToNotify: 'Reject', EventDetails: 'message=Input+is+not+a+JSONObject' },
    },
  });
});

test.each([
  ['no envelope', '{}', 'At SaleToPOIRequest, field SaleToPOIRequest: Missing'],
  ['no header', '{"SaleToPOIRequest":{}}', 'At SaleToPOIRequest, field MessageHeader'],
  [
    'a long ServiceID',
    JSON.stringify({ SaleToPOIRequest: { MessageHeader: headerOf('Payment', '12345678901') } }),
    'At SaleToPOIRequest, field MessageHeader.ServiceID',
  ],
  [
    'half of an encryption',
    JSON.stringify({ SaleToPOIRequest: { MessageHeader: headerOf('Payment', '1'), NexoBlob: 'x' } }),
    'At SaleToPOIRequest, field SecurityTrailer',
  ],
])('nexo twin: a message with %s is an error of HTTP that names the field', async (_, message, error) => {
  const { status, text } = await fixture().handle(message);
  expect(status).toBe(400);
  expect(JSON.parse(text).errors[0]).toContain(error);
});

test.each([
  ['Payment', undefined, 'MessageFormat', 'field PaymentRequest: Missing'],
  [
    'Payment',
    payment('12'),
    'MessageFormat',
    'field PaymentRequest.PaymentTransaction.AmountsReq.RequestedAmount',
  ],
  ['Payment', payment(12.5, 'XXX'), 'NotAllowed', 'currency'],
  ['Reversal', { ReversalReason: 'None' }, 'MessageFormat', 'field ReversalRequest'],
  ['Input', {}, 'UnavailableService', 'the terminal does not have this category'],
  ['constructor', {}, 'UnavailableService', 'the terminal does not have this category'],
  ['__proto__', {}, 'UnavailableService', 'the terminal does not have this category'],
])('nexo twin: %s of %o fails with %s', async (category, body, condition, words) => {
  const shop = fixture();
  const { Response: response } = await shop.send(category, body!);
  expect(response.ErrorCondition).toBe(condition);
  expect(decodeURIComponent(response.AdditionalResponse)).toContain(words);
  expect(shop.memory.journal).toEqual([]);
});

test('nexo twin: a message for another terminal fails', async () => {
  const shop = fixture();
  const { text } = await shop.handle(shop.requestText('Diagnosis', {}, '1', { POIID: 'V400m-1' }));
  expect(JSON.parse(text).SaleToPOIResponse.DiagnosisResponse.Response.ErrorCondition).toBe('MessageFormat');
});
