import { ID_FORMS, idsInText } from '../../protocol/ids.ts';
import { identifier, type Expression } from './expression.ts';

// Words of JavaScript that are no name of a variable in a module.
const RESERVED = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** What the code of a test reads besides its own variables. */
const TAKEN = ['world', 'api', 'till', 'expect', 'test', 'onTestFinished', 'startWorld'];

const LETTERS_MAX = 40;

/** Names of the variables in the code of a test, each used once. */
export interface Names {
  /** Returns the name, with a number after it if it is taken. */
  take(name: string): Expression;
}

export function createNames(): Names {
  const taken = new Set(TAKEN);
  /** The number after the last name of each base. */
  const counts = new Map<string, number>();
  return {
    take(name) {
      const base = RESERVED.has(name) ? `${name}Reply` : name;
      let count = counts.get(base) ?? 1;
      let free = base;
      while (taken.has(free)) free = `${base}${(count += 1)}`;
      counts.set(base, count);
      taken.add(free);
      return identifier(free);
    },
  };
}

/** Returns the name for the reply to a request: `refund` for `POST /v1/payment-sessions/ps_…/refunds`. */
export function nameOfReply(method: string, url: string): string {
  const segments = url.split('?')[0]!.split('/').filter(Boolean);
  const isId = (segment: string) => segment.search(idsInText()) >= 0;
  const last = segments.at(-1) ?? '';
  const words = segments.findLast((segment) => !isId(segment)) ?? '';
  const isOne = isId(last) || method !== 'GET';
  const name = camelCase(
    isOne
      ? words.replace(/^(\w*[^s])s$|^(payment-session|payout-method|payment-method|account-link)s$/, '$1$2')
      : words,
  );
  return /^[a-z]/.test(name) ? name.slice(0, LETTERS_MAX) : 'reply';
}

/** Returns the name for an id, such as `terminalId`. */
export function nameOfId(id: string): string {
  const prefix = /^[a-z]+_/.exec(id)?.[0];
  const kind = Object.entries(ID_FORMS).find(([, form]) => form.prefix === prefix)?.[0];
  return kind === undefined ? 'id' : `${kind}Id`;
}

function camelCase(text: string): string {
  const [first = '', ...rest] = text.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  return first.toLowerCase() + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}
