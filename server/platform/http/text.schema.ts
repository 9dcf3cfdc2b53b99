import { textOf } from '../../../protocol/schema.ts';
import { PLAIN_NUMBER } from '../../../protocol/test-cards.ts';
import { TEXT_FORMATS } from '../../../protocol/text-formats.ts';

// Kinds of texts that several areas have. Those of one area are declared there.

export const FirstName = textOf('Sam');
export const LastName = textOf('Reid');
export const LineOne = textOf('1 High Street');
export const City = textOf('London');
export const PostalCode = textOf('SW1A 1AA');
export const SerialNumber = textOf('SIM-1001');
export const CardNumber = textOf(PLAIN_NUMBER);
/** The last four digits of a card number. */
export const CardLast4 = textOf(PLAIN_NUMBER.slice(-4))('Last four digits of the card number');
export const ExpiryMonth = textOf('12');
export const ExpiryYear = textOf('2030');
export const SecurityCode = textOf('123')('Security code of the card: three digits, four for Amex', {
  pattern: TEXT_FORMATS.securityCode.pattern,
});
/** Host name of a web site. */
export const HostName = textOf('shop.example');

const method = textOf('POST');
export const HttpMethod = method('HTTP method');
export const HttpMethodFilter = method('HTTP method', { pattern: '^[A-Z]{3,7}$' });
export const RequestPath = textOf('/v1/payment-sessions')('Path, without its query');
export const EventType = textOf('PaymentSession.captured')('Type of the event');
export const StatusFilter = textOf('4xx');
export const SandboxName = textOf('ci-1234');
