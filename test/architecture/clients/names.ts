/** Returns the words of a name such as `PaymentSession.capture_failed`, `awaitingPin` or `visa-contactless`, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ ._-]+/)
    .map((word) => word.toLowerCase());
}

/** Returns a name such as `payment_session_captured`. */
export const inLowerWords = (name: string) => wordsOf(name).join('_');

/** Returns a name such as `PAYMENT_SESSION_CAPTURED`. */
export const inUpperWords = (name: string) => inLowerWords(name).toUpperCase();

/** Returns a name such as `PaymentSessionCaptured`. */
const inPascalCase = (name: string) =>
  wordsOf(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

const INITIALISMS = /(Id|Pin|Url|Api|Json|Cvc)(?![a-z])/g;

/** Returns the name of an exported member or constant as Go writes it, such as `SubAccountID`. */
export const asGoMember = (name: string) =>
  inPascalCase(name).replaceAll(INITIALISMS, (word) => word.toUpperCase());
