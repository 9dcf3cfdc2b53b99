import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHttpParser, encodeHttpRequest } from '../../../../agent/readers/nexo/http.ts';
import { createNexoCodec } from '../../../../agent/readers/nexo/message.ts';
import { driver } from '../../../../agent/readers/nexo/nexo.driver.ts';
import { deriveKeys, openMessage, sealMessage } from '../../../../agent/readers/nexo/sealed-message.ts';
import type { DriverParts } from '../../../../agent/readers/driver.ts';
import { diagnosisOf, REQUEST, scriptedLine, startAction, type Script } from '../till/scripted-line.ts';

const KEY = { passphrase: 'tapbench-local-passphrase', identifier: 'till', version: 1 };
const NONCE = Uint8Array.from({ length: 16 }, (_, index) => index);
const PLAIN =
  '{"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service","MessageCategory":"Diagnosis","MessageType":"Request","ServiceID":"0001","SaleID":"TILL1","POIID":"P400Plus-123456789"},"DiagnosisRequest":{"HostDiagnosisFlag":false}}}';
const BLOB =
  'jjoWETMFBtNMgvtntK1ZfZfzUzFEBjGvmkJDtSXlEGVI2H7lkRChbYwhTF8d8gXbvGLyaNGhNxxiQ0JStagwErHulpk45Qc1WPVFa9k//L0SIHy8/YJw1GiCDYcSp5+XfPrOKYajePMopAJX0HsFu+uSVq1FApHjcIfJLvXpVUdSlA3gtneqQeK7Lx5z4iXZsUPNwziP8tRTzNnPv5mvHPVQ+NMl2bz4s9cHHwYh7Vl7kGM3HmoGWkQJJ96b347hj0ywzcrQ3Hutj85EAm2RXm+06iRZrrKQTm7QFx0+6W7cqvijz4heRxomCNacVB55QK0vhbYSR2P88teK96GMHg==';
const HMAC = '661cYaYHyt/mOI9DU1gUcr5S8Lb+4SSgsDwFYu7lIKI=';

test('nexo encryption: keys and message of the known answer', () => {
  const keys = deriveKeys(KEY.passphrase);
  expect(keys.hmacKey.toString('hex')).toBe(
    'fc482195da7e71934728fd58567cc56c79b771ea07665c323994378cfe527d5e',
  );
  expect(keys.cipherKey.toString('hex')).toBe(
    'f1fe393304567263546f1f0ce23a457eb4f8e85d2b8cc389b07fdb2595a7f88d',
  );
  expect(keys.iv.toString('hex')).toBe('bcb0960580b0d855e0d1dce022411a12');
  expect(Buffer.byteLength(PLAIN)).toBe(255);
  const sealed = sealMessage(PLAIN, KEY, keys, NONCE);
  expect(sealed).toEqual({
    NexoBlob: BLOB,
    SecurityTrailer: {
      AdyenCryptoVersion: 1,
      KeyIdentifier: 'till',
      KeyVersion: 1,
      Nonce: 'AAECAwQFBgcICQoLDA0ODw==',
      Hmac: HMAC,
    },
  });
  expect(openMessage(sealed, KEY, keys)).toBe(PLAIN);
});

test('nexo encryption: another key, a changed code and a changed message are refused by name', () => {
  const keys = deriveKeys(KEY.passphrase);
  const sealed = sealMessage(PLAIN, KEY, keys, NONCE);
  const changed = (trailer: object) => ({
    ...sealed,
    SecurityTrailer: { ...sealed.SecurityTrailer, ...trailer },
  });
  expect(() => openMessage(changed({ KeyVersion: 2 }), KEY, keys)).toThrow(
    'KeyVersion are those of another key',
  );
  expect(() => openMessage(changed({ Hmac: 'AAAA' }), KEY, keys)).toThrow('Hmac is not that of the message');
  expect(() => openMessage(changed({ Hmac: HMAC.replace('6', '7') }), KEY, keys)).toThrow('Hmac is not');
  expect(() => openMessage(changed({ Nonce: 'AAAA' }), KEY, keys)).toThrow('Nonce has 16 bytes');
  expect(() => openMessage(sealed, KEY, deriveKeys('other'))).toThrow(/cannot be decrypted|Hmac is not/);
});

test('nexo codec: encodes the diagnosis of the known answer', () => {
  const settings = { poiId: 'P400Plus-123456789', saleId: 'TILL1', key: undefined };
  const request = { category: 'Diagnosis', serviceId: '0001', body: { HostDiagnosisFlag: false } } as const;
  expect(createNexoCodec(settings, () => NONCE).encode(request)).toBe(PLAIN);
  const sealed = JSON.parse(createNexoCodec({ ...settings, key: KEY }, () => NONCE).encode(request));
  expect(sealed.SaleToPOIRequest.NexoBlob).toBe(BLOB);
  expect(Object.keys(sealed.SaleToPOIRequest)).toEqual(['MessageHeader', 'NexoBlob', 'SecurityTrailer']);
});

const repliesTo = (...pieces: string[]) => {
  const parser = createHttpParser();
  return { parser, replies: pieces.flatMap((piece) => parser.push(Buffer.from(piece))) };
};

test('nexo HTTP: replies with a length, in chunks, after an interim reply and to the end of the connection', () => {
  const reply = { type: 'reply', status: 200, body: '{"a":1}' };
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}';
  expect(repliesTo(whole).replies).toEqual([reply]);
  expect(repliesTo('HTTP/1.1 100 Continue\r\n\r\n', whole).replies).toEqual([reply]);
  const chunked =
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\n\r\n';
  expect(repliesTo(...chunked).replies).toEqual([reply]);
  const { parser, replies } = repliesTo('HTTP/1.1 200 OK\r\n\r\n{"a":1}');
  expect([replies, parser.end()]).toEqual([[], reply]);
  expect(repliesTo('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{').parser.end()).toBeUndefined();
});

test.each([
  ['SSH-2.0-x\r\n\r\n', 'its first line has no status'],
  ['HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n', 'its Content-Length is no number'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n', 'its body has more than'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'a chunk has no size'],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`, 'its head has more than'],
])('nexo HTTP: %j is refused', (text, reason) => {
  expect(repliesTo(text).replies).toEqual([{ type: 'broken', reason: expect.stringContaining(reason) }]);
});

test('nexo HTTP: any bytes without a fault, and a request with its length in bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void createHttpParser().push(bytes)));
  const request = Buffer.from(encodeHttpRequest('P400Plus-1', '"ä"')).toString('utf8');
  expect(request).toMatch(/^POST \/nexo\/ HTTP\/1\.1\r\n[^]*Content-Length: 4\r\n[^]*\r\n\r\n"ä"$/);
});

const SETTINGS = { poiId: 'P400Plus-123456789', saleId: 'TILL1' };

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const PAID = {
  Response: { Result: 'Success', AdditionalResponse: 'tid=1' },
  POIData: {
    POITransactionID: {
      TransactionID: 'BV0q001643892070000.1234567890123456',
      TimeStamp: '2026-11-20T12:00:01.000Z',
    },
  },
  PaymentResult: {
    AmountsResp: { AuthorizedAmount: 25, Currency: 'EUR' },
    OnlineFlag: true,
    PaymentAcquirerData: { ApprovalCode: '123456' },
    PaymentInstrumentData: {
      PaymentInstrumentType: 'Card',
      CardData: {
        EntryMode: ['Contactless'],
        MaskedPan: '497010 **** 0154',
        PaymentBrand: 'visa',
        SensitiveCardData: { ExpiryDate: '0330' },
      },
    },
  },
};
const failure = (ErrorCondition: string, AdditionalResponse?: string) => ({
  Response: { Result: 'Failure', ErrorCondition, ...(AdditionalResponse && { AdditionalResponse }) },
});
const READY = { Response: { Result: 'Success' }, POIStatus: { GlobalStatus: 'OK' } };
const repeated = (response: object) => ({
  Response: { Result: 'Success' },
  RepeatedMessageResponse: { RepeatedResponseMessageBody: { PaymentResponse: response } },
});

type Answer = object | 'hang up' | 'silence' | { http: number; body: string };

/** A terminal that answers by category; of a list the next one each time, and then the last one. */
function terminalThat(answers: Record<string, Answer | Answer[]>, more: Partial<DriverParts> = {}) {
  const requests: Json[] = [];
  const counts = new Map<string, number>();
  const script: Script = (bytes, { say, hangUp }) => {
    const request = JSON.parse(bytes.toString('utf8').split('\r\n\r\n')[1]!).SaleToPOIRequest;
    requests.push(request);
    const { MessageCategory: category } = request.MessageHeader;
    const list = [answers[category] ?? READY].flat();
    const count = counts.get(category) ?? 0;
    counts.set(category, count + 1);
    const answer: Json = list[Math.min(count, list.length - 1)];
    if (answer === 'silence') return undefined;
    if (answer === 'hang up') return hangUp();
    const header = { ...request.MessageHeader, MessageType: 'Response', ...answer.header };
    const response = { SaleToPOIResponse: { MessageHeader: header, [`${category}Response`]: answer } };
    const body = answer.http ? answer.body : JSON.stringify(response);
    say(`HTTP/1.1 ${answer.http ?? 200} x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const fixture = scriptedLine(script, { terminalSettings: SETTINGS, ...more });
  const categories = () => requests.map(({ MessageHeader }) => MessageHeader.MessageCategory);
  return { fixture, requests, categories };
}

async function pays(answers: Record<string, Answer | Answer[]>, waitMs = 60_000, request = REQUEST) {
  const terminal = terminalThat(answers);
  const { reader, events } = startAction(driver, terminal.fixture, request);
  await terminal.fixture.clock.advance(waitMs);
  reader.end();
  await reader.close();
  return { ...terminal, events: events.filter(({ type }) => type !== 'device.ready') };
}

const APPROVED = {
  type: 'device.approved',
  card: {
    scheme: 'Visa',
    bin: '497010',
    last4: '0154',
    expiryMonth: '03',
    expiryYear: '2030',
    entryMode: 'Contactless',
  },
  approval: { authorisationCode: '123456', reference: 'BV0q001643892070000.1234567890123456' },
};

test('nexo payment: asks whether the terminal is ready, and pays in decimals', async () => {
  const { events, requests } = await pays({ Payment: PAID });
  expect(events).toEqual([APPROVED]);
  expect(requests.map(({ MessageHeader }) => MessageHeader.MessageCategory)).toEqual([
    'Diagnosis',
    'Payment',
  ]);
  const { MessageHeader, PaymentRequest } = requests[1];
  expect(MessageHeader).toMatchObject({ ProtocolVersion: '3.0', SaleID: 'TILL1', POIID: SETTINGS.poiId });
  expect(MessageHeader.ServiceID).toMatch(/^[0-9A-Z]{10}$/);
  expect(PaymentRequest.PaymentTransaction.AmountsReq).toEqual({ Currency: 'EUR', RequestedAmount: 25 });
});

test('nexo refund: names its type', async () => {
  const { events, requests } = await pays({ Payment: PAID }, 60_000, { ...REQUEST, type: 'Refund' });
  expect(events).toEqual([APPROVED]);
  expect(requests[1].PaymentRequest.PaymentData).toEqual({ PaymentType: 'Refund' });
});

test.each([
  [
    failure('Refusal', 'message=x&refusalReason=210%20Not%20enough%20balance'),
    { type: 'device.declined', reason: 'Refusal: 210 Not enough balance' },
  ],
  [failure('WrongPIN'), { type: 'device.declined', reason: 'WrongPIN' }],
  [failure('Aborted', 'message=104%20Merchant%20cancelled'), { type: 'cancel.pressed' }],
  [failure('Cancel'), { type: 'cancel.pressed' }],
  [failure('Busy'), { type: 'reader.failed', reason: 'Busy' }],
  [failure('UnreachableHost'), { type: 'reader.failed', reason: 'UnreachableHost' }],
])('nexo payment: %j is no charge', async (response, event) => {
  expect((await pays({ Payment: response })).events).toEqual([event]);
});

const amounts = (AmountsResp: object) => ({ ...PAID, PaymentResult: { ...PAID.PaymentResult, AmountsResp } });

test.each([
  [
    'another amount',
    amounts({ AuthorizedAmount: 20, Currency: 'EUR' }),
    'AuthorizedAmount is 20.00 EUR, not 25.00 EUR',
  ],
  [
    'another currency',
    amounts({ AuthorizedAmount: 25, Currency: 'GBP' }),
    'Currency is not the requested one',
  ],
  ['no amount', amounts({}), 'a success without AuthorizedAmount'],
  [
    'half a cent',
    amounts({ AuthorizedAmount: 25.005, Currency: 'EUR' }),
    'a success without AuthorizedAmount',
  ],
  ['no transaction', { ...PAID, POIData: {} }, 'a success without a POITransactionID'],
  ['a part', { ...PAID, Response: { Result: 'Partial' } }, 'neither Success nor Failure'],
])('nexo payment: a response with %s has an unknown outcome', async (_, response, reason) => {
  const { events, categories } = await pays({ Payment: response });
  expect(events).toEqual([{ type: 'device.unknown', reason: expect.stringContaining(reason) }]);
  expect(categories()).toEqual(['Diagnosis', 'Payment']);
});

test.each([
  ['hangs up', 'hang up'],
  ['answers with an HTTP error', { http: 500, body: '{"errors":["Nexo Service: crypto error (3)"]}' }],
  ['answers what is not JSON', { http: 200, body: '<html>' }],
  ['answers another request', { ...PAID, header: { ServiceID: 'OTHER' } }],
  ['says that it is still open', failure('InProgress')],
] as const)(
  'nexo payment: when the terminal %s, its outcome is asked for by the number of the payment',
  async (_, payment) => {
    const { events, requests, categories } = await pays({
      Payment: payment,
      TransactionStatus: [failure('InProgress'), 'hang up', repeated(PAID)],
    });
    expect(events).toEqual([APPROVED]);
    expect(categories().filter((category) => category === 'Payment')).toHaveLength(1);
    const { MessageReference } = requests.at(-1).TransactionStatusRequest;
    expect(MessageReference).toEqual({
      MessageCategory: 'Payment',
      SaleID: 'TILL1',
      ServiceID: requests[1].MessageHeader.ServiceID,
    });
  },
);

test('nexo payment: one that the terminal says twice it never received is no charge', async () => {
  const { events } = await pays({ Payment: 'hang up', TransactionStatus: failure('NotFound') });
  expect(events).toEqual([
    { type: 'reader.failed', reason: expect.stringContaining('never received the payment') },
  ]);
});

test('nexo payment: without an answer it is unknown after 180 s, and what comes later still counts', async () => {
  const late = await pays(
    {
      Payment: 'silence',
      TransactionStatus: [...Array.from({ length: 15 }, () => failure('InProgress')), repeated(PAID)],
    },
    300_000,
  );
  expect(late.events.map(({ type }) => type)).toEqual(['device.unknown', 'device.approved']);
  const never = await pays({ Payment: 'silence', TransactionStatus: 'hang up' }, 1_800_000);
  expect(never.events.at(-1)).toMatchObject({
    type: 'device.unknown',
    reason: expect.stringContaining('look it up'),
  });
  expect(never.categories().length).toBeLessThan(150);
});

test('nexo payment: after a restart its outcome is asked for, and it is not sent again', async () => {
  const { fixture, categories } = terminalThat({ TransactionStatus: repeated(PAID) });
  const reader = driver.createReader(fixture.parts);
  const events: unknown[] = [];
  reader.begin(REQUEST, (event) => events.push(event));
  reader.findOutcome!();
  await fixture.clock.advance(30_000);
  expect(events).toEqual([APPROVED]);
  expect(categories()).toEqual(['TransactionStatus']);
  await reader.close();
});

test('nexo payment: after a restart a terminal that is busy, or not there yet, is asked until it answers', async () => {
  const { fixture, categories } = terminalThat({
    Diagnosis: { ...READY, POIStatus: { GlobalStatus: 'Busy' } },
    TransactionStatus: ['hang up', failure('InProgress'), repeated(PAID)],
  });
  const reader = driver.createReader(fixture.parts);
  const events: unknown[] = [];
  reader.begin(REQUEST, (event) => events.push(event));
  reader.findOutcome!();
  await fixture.clock.advance(60_000);
  expect(events).toEqual([APPROVED]);
  expect(categories()).toEqual(['TransactionStatus', 'TransactionStatus', 'TransactionStatus']);
  await reader.close();
});

test('nexo reversal: names the transaction and its time, as the terminal shows them', async () => {
  const { fixture, requests } = terminalThat({ TransactionStatus: repeated(PAID), Reversal: READY });
  const reversed = driver.createReader(fixture.parts).reverse!(REQUEST, APPROVED.approval);
  await fixture.clock.advance(30_000);
  expect(await reversed).toBeUndefined();
  expect(requests.at(-1).ReversalRequest).toEqual({
    OriginalPOITransaction: PAID.POIData,
    ReversalReason: 'MerchantCancel',
  });
  const gone = terminalThat({ TransactionStatus: failure('NotFound') });
  const refused = driver.createReader(gone.fixture.parts).reverse!(REQUEST, APPROVED.approval);
  await gone.fixture.clock.advance(30_000);
  expect(await refused).toEqual({
    notReversed: expect.stringContaining('does not show the payment any more'),
  });
});

test('nexo: a terminal that is busy, or may be a real one, gets no payment', async () => {
  const busy = await pays({ Diagnosis: { ...READY, POIStatus: { GlobalStatus: 'Busy' } } });
  expect(busy.events).toEqual([{ type: 'reader.failed', reason: 'the terminal is not ready: Busy' }]);
  const { fixture, requests } = terminalThat({}, { allowRealTerminal: false });
  const { events } = startAction(driver, fixture);
  await fixture.clock.advance(5_000);
  expect(events).toMatchObject([
    { type: 'reader.failed', reason: expect.stringContaining('--allow-real-terminal') },
  ]);
  expect(requests).toEqual([]);
});

test.each([
  [undefined, 'nexo needs --terminal-settings'],
  [{}, 'poiId: '],
  [{ ...SETTINGS, saleId: 'a till' }, 'saleId: '],
  [{ ...SETTINGS, passphrase: 'x' }, 'keyIdentifier: '],
  [{ ...SETTINGS, keyIdentifier: 'x' }, 'passphrase: '],
  [{ ...SETTINGS, keyVersion: 2 }, 'passphrase: '],
  [{ ...SETTINGS, passPhrase: 'x', keyIdentifer: 'x' }, 'passPhrase: nexo has no such setting'],
  [{ ...SETTINGS, keyIdentifier: 'x', passphrase: 'x', keyVersion: 'x' }, 'keyVersion: '],
])('nexo settings: %j is refused by its member', async (terminalSettings, words) => {
  const { fixture } = terminalThat({}, { terminalSettings });
  expect(() => driver.createReader(fixture.parts)).toThrow(words);
  expect(await diagnosisOf(driver, fixture)).toMatchObject([
    { step: 'settings', ok: false, detail: expect.stringContaining(words) },
  ]);
});

test('nexo diagnosis: shows the terminal and the state of its encryption, and no passphrase', async () => {
  const { fixture } = terminalThat({});
  const steps = await diagnosisOf(driver, fixture);
  expect(steps.map(({ ok }) => ok)).toEqual([true, true]);
  expect(steps[0]!.detail).toBe('terminal P400Plus-123456789, in clear, which terminals take in tests alone');
});
