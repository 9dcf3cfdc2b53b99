import { expect, test } from 'vitest';
import { withFrameWords } from '../../../agent/reader-trace.ts';
import { encodeMessage as concertMessage } from '../../../agent/readers/concert/frame.ts';
import type { FrameWords } from '../../../agent/readers/driver.ts';
import { findDriver } from '../../../agent/readers/drivers.ts';
import { encodeMessage as ecrMessage } from '../../../agent/readers/ecr17/frame.ts';
import { createNexoCodec } from '../../../agent/readers/nexo/message.ts';
import { readSettings } from '../../../agent/readers/nexo/settings.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';

const KEY = { poiId: 'P400Plus-123456789', passphrase: 'pass', keyIdentifier: 'key', keyVersion: 1 };

async function wordsOf(language: string, terminalSettings: unknown = KEY): Promise<FrameWords> {
  const { frameWords } = await findDriver(language)!.load();
  return frameWords!({ terminalSettings });
}

const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const ecr = (payload: string) => ecrMessage(payload, 'payload and ETX');
const done = `092530310E000000000000000001234CLI1234563310945200000000001000123000045`;
const refused = `092530310E01${'CARTA RIFIUTATA'.padEnd(24)}00000000000200000000001000124000046`;

test.each([
  ['06 00 08 00 00 00 BE 09 78 06 00', 'registration of the till'],
  ['06 01 0A 04 00 00 00 00 10 34 49 09 78', 'payment, 10.34 EUR'],
  ['10 02 06 01 07 04 00 00 00 00 10 10 34 10 03 A0 40', 'payment, amount 1034, in the smallest unit'],
  ['10 02 80 00 00 10 03 F5 1F', 'command accepted'],
  ['06', 'block received (ACK)'],
  ['15', 'block damaged, send it again (NAK)'],
  ['84 9C 00', 'command refused'],
  ['04 FF 01 0A', 'state: insert card'],
  ['04 FF 01 04', 'state: waiting for host'],
  [
    '04 0F 16 27 00 04 00 00 00 00 17 42 49 09 78 29 52 52 35 35 87 00 12 8A 06',
    'result, approved, 17.42 EUR, receipt 12',
  ],
  ['06 1E 01 6C', 'ended without a payment: aborted by timeout or abort key'],
  ['06 0F 00', 'completed'],
  ['06 0F 0A 19 00 29 52 50 00 41 49 09 78', 'completed'],
  ['06 30 06 00 00 00 87 00 12', 'reversal, receipt 12'],
])('zvt: %s is %s', async (hex, words) => {
  expect((await wordsOf('zvt'))(fromHex(hex))).toContain(words);
});

test.each([
  ['CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500', 'payment, 25.00 EUR'],
  ['CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978', 'payment, 123.45 EUR'],
  [
    'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500AE00210CC003001CI0011AC006614027AA016278502######8422AI021A00000000595741576604AB0042711CF0101010000000CG006424242',
    'payment, 25.00 EUR, done',
  ],
  [
    'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500AE00201AF00204',
    'payment, 25.00 EUR, not done, reason: refused',
  ],
  ['CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CC00300CCB00205', 'payment, 0.05 EUR'],
  ['CZ0040301CJ012330538600404CA00201CD001IAE00210', 'who are you?, done'],
  ['CB00512345', 'amount 12345, in the smallest unit'],
  ['AE00210', 'done'],
  ['AE00201', 'not done'],
  ['AF00204', 'reason: refused'],
  ['AF00209', 'reason: the terminal does not accept the format of the message'],
  ['AE011constructor', 'a result that is not known'],
  ['CD011constructor', 'an action that is not known'],
  ['AA016278502######8422', 'number of the card'],
  ['AC006614027', 'number of the authorisation'],
  ['CE003978', 'currency EUR'],
  ['CB0042500', 'amount 2500, in the smallest unit'],
  ['AE00201AF00209', 'not done, reason: the terminal does not accept the format of the message'],
  ['no record', 'bytes that are no record'],
])('caisse-ap: %s is %s', async (text, words) => {
  expect((await wordsOf('caisse-ap'))(ascii(text))).toBe(words);
});

test.each([
  ['092530310s', 'what is your state?'],
  ['000000000s', 'what is your state?'],
  [`092530310P000000010000200001000${' '.repeat(128)}00000000`, 'payment, 10.00 EUR'],
  ['092530310C0000000100000000', 'end of the session'],
  ['092530310C0000000000000010000000000000001000', 'end of the session'],
  ['092530310T0000000100000000', 'totals'],
  ['092530310E1', 'where the receipts go'],
  ['092530310R100000000000', 'print the last receipts again'],
  ['092530310s000000000027112615452SYS03.4EEMV08.81', 'state: it takes payments'],
  ['092530310s000000000027112615454SYS03.4EEMV08.81', 'state: its keys are damaged'],
  [`092530310X0000000100000000017${'42'.padEnd(130)}00000000`, 'payment, 17.42 EUR'],
  ['092530310G000000010000', 'the last result again'],
  ['092530310S0000000100012300', 'reversal'],
  [done, 'result, approved, transaction 123'],
  [refused, 'result, declined, transaction 124'],
])('ecr17: %s is %s', async (payload, words) => {
  expect((await wordsOf('ecr17'))(ecr(payload))).toBe(words);
});

test.each([
  ['02 30 39 32 35 33 30 33 31 30 73 03 30', 'what is your state?'],
  ...['79', '7A', '78', '7B', '7C'].map((check) => [`06 03 ${check}`, 'message received (ACK)']),
  ...['6A', '69', '6B', '68', '7C'].map((check) => [`15 03 ${check}`, 'message damaged, or not taken (NAK)']),
  ['01 5452414E53415A494F4E4520494E20434F52534F 04', 'on its display: TRANSAZIONE IN CORSO'],
  ['01 494E534552495245204341525441202020202020 04', 'on its display: INSERIRE CARTA'],
])('ecr17: the bytes %s are %s', async (hex, words) => {
  expect((await wordsOf('ecr17'))(fromHex(hex))).toBe(words);
});

const BLANK = ' '.repeat(10);
test.each([
  [`0100001250110978${BLANK}A010B010`, 'payment, 12.50 EUR'],
  [`0100001250010978${BLANK}A010B010`, 'payment, 12.50 EUR'],
  [`0100001250012978${BLANK}A010B010`, 'cancel of a payment, 12.50 EUR'],
  [`0100001250112978${BLANK}A010B010`, 'cancel of a payment, 12.50 EUR'],
  [`0100001250010978${BLANK}`, 'payment, 12.50 EUR'],
  [`0100001250110978${BLANK}`, 'payment, 12.50 EUR'],
  [`01000025000C0978${BLANK}A011B010`, 'payment, 25.00 EUR'],
  ['CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978', 'a message of 57 characters'],
  [`0100002500010978${BLANK}A011B010`, 'payment, 25.00 EUR'],
  [`010000012501${'4970100000000154'.padEnd(55)}978${BLANK}`, 'result: done, 12.50 EUR'],
  [`010000012501978${BLANK}`, 'result: done, 12.50 EUR'],
  [`017000012501978${BLANK}`, 'result: not accepted, 12.50 EUR'],
  [`019000025001978${BLANK}`, 'result: request taken, no result follows, 25.00 EUR'],
])('concert: %s is %s', async (text, words) => {
  expect((await wordsOf('concert'))(concertMessage(text))).toBe(words);
});

test.each([
  ['05', 'may I send? (ENQ)'],
  ['06', 'yes, or received (ACK)'],
  ['15', 'damaged, or not now (NAK)'],
  ['04', 'over (EOT)'],
])('concert: the byte %s is %s', async (hex, words) => {
  expect((await wordsOf('concert'))(fromHex(hex))).toBe(words);
});

const payment = {
  category: 'Payment' as const,
  serviceId: '1',
  body: { PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 17.42 } } },
};
const post = (body: string) => ascii(`POST /nexo/ HTTP/1.1\r\nHost: x\r\n\r\n${body}`);
const reply = (body: string) => ascii(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const responseWith = (content: object) =>
  JSON.stringify({
    SaleToPOIResponse: { MessageHeader: { MessageCategory: 'Payment' }, PaymentResponse: content },
  });

test('nexo: a request in clear and an encrypted one are a payment with its amount', async () => {
  const words = await wordsOf('nexo');
  const clear = createNexoCodec(readSettings({ poiId: KEY.poiId }), () => new Uint8Array(16));
  const sealed = createNexoCodec(readSettings(KEY), () => new Uint8Array(16));

  expect(words(post(clear.encode(payment)))).toBe('payment, 17.42 EUR');
  expect(sealed.encode(payment)).not.toContain('17.42');
  expect(words(post(sealed.encode(payment)))).toBe('payment, 17.42 EUR');
});

test('nexo: the known answer of the encryption asks for the state of the terminal, and is not read with another key', async () => {
  const header = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: 'Diagnosis',
    MessageType: 'Request',
    ServiceID: '0001',
    SaleID: 'TILL1',
    POIID: KEY.poiId,
  };
  const trailer = {
    AdyenCryptoVersion: 1,
    KeyIdentifier: 'till',
    KeyVersion: 1,
    Nonce: 'AAECAwQFBgcICQoLDA0ODw==',
    Hmac: '661cYaYHyt/mOI9DU1gUcr5S8Lb+4SSgsDwFYu7lIKI=',
  };
  const blob =
    'jjoWETMFBtNMgvtntK1ZfZfzUzFEBjGvmkJDtSXlEGVI2H7lkRChbYwhTF8d8gXbvGLyaNGhNxxiQ0JStagwErHulpk45Qc1WPVFa9k//L0SIHy8/YJw1GiCDYcSp5+XfPrOKYajePMopAJX0HsFu+uSVq1FApHjcIfJLvXpVUdSlA3gtneqQeK7Lx5z4iXZsUPNwziP8tRTzNnPv5mvHPVQ+NMl2bz4s9cHHwYh7Vl7kGM3HmoGWkQJJ96b347hj0ywzcrQ3Hutj85EAm2RXm+06iRZrrKQTm7QFx0+6W7cqvijz4heRxomCNacVB55QK0vhbYSR2P88teK96GMHg==';
  const sealed = { MessageHeader: header, NexoBlob: blob, SecurityTrailer: trailer };
  const key = { ...KEY, passphrase: 'tapbench-local-passphrase', keyIdentifier: 'till' };
  const words = await wordsOf('nexo', key);

  expect(words(post(JSON.stringify({ SaleToPOIRequest: sealed })))).toBe('what is your state?');
  const other = await wordsOf('nexo', { ...key, passphrase: 'another' });
  expect(() => other(post(JSON.stringify({ SaleToPOIRequest: sealed })))).toThrow(/NexoBlob|Hmac/);
});

test.each([
  ['abort', 'Abort', 'abort'],
  ['reversal', 'Reversal', 'reversal'],
  ['question for a payment', 'TransactionStatus', 'what came of a payment?'],
  ['diagnosis', 'Diagnosis', 'what is your state?'],
  ['print', 'Print', 'message'],
])('nexo: a request of the category %s is named', async (_, category, expected) => {
  const message = { MessageHeader: { MessageCategory: category }, [`${category}Request`]: {} };
  expect((await wordsOf('nexo'))(post(JSON.stringify({ SaleToPOIRequest: message })))).toBe(expected);
});

test('nexo: the published exchange is a payment of 12.50, and its success', async () => {
  const words = await wordsOf('nexo');
  const header = { MessageClass: 'Service', MessageCategory: 'Payment', ServiceID: '1', SaleID: 'TILL1' };
  const AmountsReq = { Currency: 'EUR', RequestedAmount: 12.5 };
  const request = { MessageHeader: header, PaymentRequest: { PaymentTransaction: { AmountsReq } } };
  expect(words(post(JSON.stringify({ SaleToPOIRequest: request })))).toBe('payment, 12.50 EUR');
  const response = {
    Response: { Result: 'Success', AdditionalResponse: 'tid=1' },
    PaymentResult: { AmountsResp: { AuthorizedAmount: 12.5, Currency: 'EUR' }, OnlineFlag: true },
  };
  expect(words(reply(responseWith(response)))).toBe('answer to: payment, Success, 12.50 EUR');
});

test('nexo: a response is its result, and nothing of the card', async () => {
  const amounts = { AmountsResp: { Currency: 'EUR', AuthorizedAmount: 17.42 } };
  const card = { CardData: { MaskedPan: '4111111111111111' } };
  const success = {
    Response: { Result: 'Success' },
    PaymentResult: { ...amounts, PaymentInstrumentData: card },
  };
  const failure = {
    Response: { Result: 'Failure', ErrorCondition: 'Refusal', AdditionalResponse: '4111111111111111' },
  };
  const words = await wordsOf('nexo');

  expect(words(reply(responseWith(success)))).toBe('answer to: payment, Success, 17.42 EUR');
  expect(words(reply(responseWith(failure)))).toBe('answer to: payment, Failure, Refusal');
  expect(words(ascii('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))).toBe('HTTP reply 404');
});

const NUMBER = '4970100000000154';
test.each([
  ['zvt', fromHex(`04 0F 0C 27 00 22 F8 ${NUMBER}`)],
  [
    'nexo',
    post(JSON.stringify({ SaleToPOIRequest: { MessageHeader: { MessageCategory: `card ${NUMBER}` } } })),
  ],
  ['caisse-ap', ascii(`AA016${NUMBER}`)],
  ['ecr17', ecr(`092530310E01${NUMBER.padEnd(24)}00000000000200000000001000124000046`)],
  ['ecr17', fromHex(`01 ${Buffer.from(NUMBER.padEnd(20)).toString('hex')} 04`)],
  ['concert', concertMessage(`010000012501${NUMBER.padEnd(55)}978${BLANK}`)],
] as const)('frame words: those of %s have no number of a card', async (language, bytes) => {
  const words = (await wordsOf(language))(bytes);
  expect(words).toMatch(/[a-z]/);
  expect(words).not.toMatch(/[0-9]{7}/);
});

test('withFrameWords: a driver that fails to describe a frame leaves the trace as it is', () => {
  const seen: unknown[] = [];
  const throwing = {
    frameWords: () => () => {
      throw new Error('a bug');
    },
  };
  const trace = withFrameWords((...frame) => void seen.push(frame), throwing, {});
  trace('in', Uint8Array.of(6));
  trace('in', new Uint8Array(0), '3 bytes that are no frame');

  expect(seen).toEqual([
    ['in', Uint8Array.of(6), undefined],
    ['in', new Uint8Array(0), '3 bytes that are no frame'],
  ]);
});
