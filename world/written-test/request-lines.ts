import type { TraceBody, TraceCall } from '../../server/traces/trace-format.schema.ts';
import { otherHeaders } from './api-clients.ts';
import { codeOf, quoted, type Code } from './code.ts';
import { typedKeys } from './typed-keys.ts';
import type { WriterParts } from './writer-parts.ts';

/** Returns a function that writes the lines of a request, whose reply is in the variable of that name. */
export function createRequestLines({ names, references, clients, write, writeCall }: WriterParts) {
  const { textCode } = references;

  /** Writes the lines of a form, and returns its name. */
  function writeForm({ form, file }: Extract<TraceBody, { form: unknown }>): string {
    const name = names.take('form');
    write(`const ${name} = new FormData();`);
    for (const [field, value] of Object.entries((form ?? {}) as Record<string, unknown>))
      writeCall(`${name}.set`, [quoted(field), textCode(String(value))]);
    if (file) {
      const bytes = `[new Uint8Array(${file.bytes})]`;
      const made = `new File(${bytes}, ${quoted(file.name)}, { type: ${quoted(file.contentType)} })`;
      writeCall(`${name}.set`, [quoted('file'), made]);
    }
    return name;
  }

  function bodyCode(call: TraceCall): Code | undefined {
    if (!call.body) return undefined;
    if ('json' in call.body) return codeOf(typedKeys(call.body.json), textCode);
    return 'form' in call.body ? writeForm(call.body) : textCode(call.body.text);
  }

  function writeRequest(call: TraceCall, variable: string): void {
    const { method, url, headers } = call;
    const client = clients.clientFor(headers);
    const content = bodyCode(call);
    const path = textCode(url);
    const more = otherHeaders(headers, references);
    const isPlain = !more && (!call.body || !('text' in call.body));
    const simple = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' }[method];
    const head = `const ${variable} = await ${client}`;
    if (isPlain && simple && !(content !== undefined && method === 'GET'))
      return writeCall(`${head}.${simple}`, content === undefined ? [path] : [path, content]);
    const type = headers['content-type'];
    const sent = {
      ...(type !== undefined && content !== undefined && { 'content-type': quoted(type) }),
      ...more,
    };
    const entries = Object.entries(sent).map(([name, value]) => ({
      name: `${/^\w+$/.test(name) ? name : quoted(name)}: `,
      value,
    }));
    const text = jsonText(call, content, variable);
    const headersCode: Code[] = entries.length > 0 ? [{ brackets: '{}', entries }] : [];
    writeCall(`${head}.raw`, [quoted(method), path, text, ...headersCode]);
  }

  /** Returns the text of a request as code. JSON gets a variable of its own. */
  function jsonText(call: TraceCall, content: Code | undefined, variable: string): Code {
    if (content === undefined) return 'undefined';
    if (!call.body || !('json' in call.body)) return content;
    const name = names.take(`${variable}Body`);
    writeCall(`const ${name} = JSON.stringify`, [content]);
    return name;
  }

  return writeRequest;
}
