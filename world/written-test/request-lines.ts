import type { TraceBody, TraceCall } from '../../server/traces/trace-item.schema.ts';
import { otherHeaders } from './api-clients.ts';
import { codeOf, type Code } from './code.ts';
import { code, literal, memberName, type Expression } from './expression.ts';
import { typedKeys } from './typed-keys.ts';
import type { WriterParts } from './writer-parts.ts';

/** The functions of a client for requests without headers of their own, by method. */
const FUNCTIONS = new Map([
  ['GET', code`get`],
  ['POST', code`post`],
  ['PATCH', code`patch`],
  ['DELETE', code`delete`],
]);

/** Returns a function that writes the lines of a request, whose reply is in the variable of that name. */
export function createRequestLines({ names, references, clients, write, writeCall }: WriterParts) {
  const { textCode } = references;

  /** Writes the lines of a form, and returns its name. */
  function writeForm({ form, file }: Extract<TraceBody, { form: unknown }>): Expression {
    const name = names.take('form');
    write(code`const ${name} = new FormData();`);
    for (const [field, value] of Object.entries(form))
      writeCall(code`${name}.set`, [literal(field), textCode(String(value))]);
    if (file) {
      const bytes = code`[new Uint8Array(${literal(file.bytes)})]`;
      const made = code`new File(${bytes}, ${literal(file.name)}, { type: ${literal(file.contentType)} })`;
      writeCall(code`${name}.set`, [literal('file'), made]);
    }
    return name;
  }

  function bodyCode(call: TraceCall): Code | undefined {
    if (!call.body) return undefined;
    if ('json' in call.body) return codeOf(typedKeys(call.body.json), textCode);
    return 'form' in call.body ? writeForm(call.body) : textCode(call.body.text);
  }

  function writeRequest(call: TraceCall, variable: Expression): void {
    const { method, url, headers } = call;
    const client = clients.clientFor(headers);
    const content = bodyCode(call);
    const path = textCode(url);
    const more = otherHeaders(headers, references);
    const isPlain = !more && (!call.body || !('text' in call.body));
    const simple = FUNCTIONS.get(method);
    const head = code`const ${variable} = await ${client}`;
    if (isPlain && simple && !(content !== undefined && method === 'GET'))
      return writeCall(code`${head}.${simple}`, content === undefined ? [path] : [path, content]);
    const type = headers['content-type'];
    const sent = {
      ...(type !== undefined && content !== undefined && { 'content-type': literal(type) }),
      ...more,
    };
    const entries = Object.entries(sent).map(([name, value]) => ({ name: memberName(name), value }));
    const text = jsonText(call, content, variable);
    const headersCode: Code[] = entries.length > 0 ? [{ brackets: '{}', entries }] : [];
    writeCall(code`${head}.raw`, [literal(method), path, text, ...headersCode]);
  }

  /** Returns the text of a request as code. JSON gets a variable of its own. */
  function jsonText(call: TraceCall, content: Code | undefined, variable: Expression): Code {
    if (content === undefined) return code`undefined`;
    if (!call.body || !('json' in call.body)) return content;
    const name = names.take(`${variable}Body`);
    writeCall(code`const ${name} = JSON.stringify`, [content]);
    return name;
  }

  return writeRequest;
}
