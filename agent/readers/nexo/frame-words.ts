import { formatMinor } from '../../../protocol/money.ts';
import { isObject, parseOutsideJson } from '../../../protocol/outside-json.ts';
import { isKeyOf } from '../../../protocol/tables.ts';
import { createHttpParser } from './http.ts';
import { memberAt, sealedIn, textAt } from './message.ts';
import { minorOf } from './outcome.ts';
import { deriveKeys, openMessage, type NexoKeys } from './sealed-message.ts';
import { readSettings } from './settings.ts';

const CATEGORIES = {
  Abort: 'abort',
  Diagnosis: 'what is your state?',
  Payment: 'payment',
  Reversal: 'reversal',
  TransactionStatus: 'what came of a payment?',
};

/**
 * Returns a function that says in plain words what a message is, nothing of the card: with the key of the settings also what
 * an encrypted one holds.
 */
export function createFrameWords(settings: unknown): (bytes: Uint8Array) => string | undefined {
  const { key } = readSettings(settings);
  let keys: NexoKeys | undefined;
  const opened = (outer: Record<string, unknown>): unknown => {
    if (!key || outer['NexoBlob'] === undefined) return outer;
    const text = openMessage(sealedIn(outer), key, (keys ??= deriveKeys(key.passphrase)));
    return messageIn(text)?.message;
  };
  return (bytes) => {
    const { status, body } = contentOf(bytes);
    const found = body === undefined ? undefined : messageIn(body);
    if (!found) return status === undefined ? undefined : `HTTP reply ${status}`;
    const category = textAt(found.message, 'MessageHeader', 'MessageCategory') ?? 'message';
    // Another text is not repeated: it is of the device, and may hold anything.
    const name = isKeyOf(CATEGORIES, category) ? CATEGORIES[category] : 'message';
    const inner = opened(found.message);
    const content = memberAt(inner, `${category}${found.isRequest ? 'Request' : 'Response'}`);
    if (found.isRequest) return [name, ...requestFacts(content)].join(', ');
    return [`answer to: ${name}`, ...responseFacts(content)].join(', ');
  };
}

/** The body of an HTTP request, or of a reply with its status. */
function contentOf(bytes: Uint8Array): { status?: number; body?: string } {
  const text = Buffer.from(bytes).toString('utf8');
  if (text.startsWith('POST ')) return { body: text.slice(text.indexOf('\r\n\r\n') + 4) };
  const parser = createHttpParser();
  const reply = parser.push(bytes)[0] ?? parser.end();
  return reply?.type === 'reply' ? { status: reply.status, body: reply.body } : {};
}

function messageIn(text: string): { isRequest: boolean; message: Record<string, unknown> } | undefined {
  const found = text === '' ? undefined : parseOutsideJson(text);
  if (!isObject(found)) return undefined;
  const { SaleToPOIRequest: request, SaleToPOIResponse: response } = found;
  if (isObject(request)) return { isRequest: true, message: request };
  return isObject(response) ? { isRequest: false, message: response } : undefined;
}

function requestFacts(content: unknown): string[] {
  const amounts = memberAt(content, 'PaymentTransaction', 'AmountsReq');
  return amountOf(amounts, 'RequestedAmount');
}

function responseFacts(content: unknown): string[] {
  const repeated = memberAt(
    content,
    'RepeatedMessageResponse',
    'RepeatedResponseMessageBody',
    'PaymentResponse',
  );
  const result = textAt(content, 'Response', 'Result');
  const condition = textAt(content, 'Response', 'ErrorCondition');
  const amounts = memberAt(content, 'PaymentResult', 'AmountsResp');
  const facts = [result, condition].filter((fact) => fact !== undefined && /^[A-Za-z]{1,30}$/.test(fact));
  const own = [...facts.map((fact) => String(fact)), ...amountOf(amounts, 'AuthorizedAmount')];
  return repeated === undefined ? own : [...own, 'the payment', ...responseFacts(repeated)];
}

function amountOf(amounts: unknown, member: string): string[] {
  const amountMinor = minorOf(memberAt(amounts, member));
  const currency = textAt(amounts, 'Currency') ?? '';
  return amountMinor === undefined || !/^[A-Z]{3}$/.test(currency)
    ? []
    : [formatMinor(amountMinor, currency)];
}
