import type { Trace } from '../../server/traces/trace-format.schema.ts';
import { code, type Expression } from './expression.ts';
import type { Names } from './names.ts';
import type { References } from './references.ts';

/** The client with the secret key. */
const PLATFORM = code`api`;

export type ApiClients = ReturnType<typeof createApiClients>;

/** The clients of the API in a test, one for each key and account that the recording used. */
export function createApiClients(
  { summary }: Trace,
  { names, references, write }: { names: Names; references: References; write(line: Expression): void },
) {
  const clients = new Map<Expression, Expression>();
  const kinds = new Map(summary.secrets.map(({ number, of }) => [`{{secret:${number}}}`, of]));
  const kindOf = (placeholder = '') => kinds.get(placeholder);

  function expressionOf({ authorization, account }: Record<string, string>): Expression {
    const kind = kindOf(authorization);
    const key = kind === 'publicKey' ? code`world.publicKey` : references.textCode(authorization ?? '');
    const withKey = kind === 'secretKey' ? PLATFORM : code`api.withKey(${key})`;
    return account === undefined ? withKey : code`${withKey}.as(${references.textCode(account)})`;
  }

  return {
    /** Returns the name of the client for the headers of a request. Writes its line when it is the first such request. */
    clientFor(headers: Record<string, string>): Expression {
      const expression = expressionOf(headers);
      if (expression === PLATFORM) return expression;
      const known = clients.get(expression);
      if (known !== undefined) return known;
      const base = headers['account'] === undefined ? 'otherKeyApi' : 'accountApi';
      const isPublic = kindOf(headers['authorization']) === 'publicKey' && headers['account'] === undefined;
      const name = names.take(isPublic ? 'publicApi' : base);
      clients.set(expression, name);
      write(code`const ${name} = ${expression};`);
      return name;
    },
    /** Whether a request was sent with the secret key of the sandbox. */
    isOfPlatform: (headers: Record<string, string>) => kindOf(headers['authorization']) === 'secretKey',
  };
}

/** Returns the code of the headers that a client does not send by itself; undefined for none. */
export function otherHeaders(
  headers: Record<string, string>,
  references: References,
): Record<string, Expression> | undefined {
  const others = Object.entries(headers).filter(([name]) => ['idempotency-key', 'origin'].includes(name));
  if (others.length === 0) return undefined;
  return Object.fromEntries(others.map(([name, value]) => [name, references.textCode(value)]));
}
