import { type ApiClients, otherHeaders } from './api-clients.ts';
import { type Code, codeOf } from './code.ts';
import { type Expression, code, literal, memberName } from './expression.ts';
import type { Names } from './names.ts';
import type { References } from './references.ts';
import type { TraceBody, TraceCall, ItemOf } from '../../server/traces/trace-item.schema.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { fillPlaceholders } from '../replay/filled-placeholders.ts';
import { mapTexts } from '../replay/bindings.ts';
import { RECEIPT_PRINTER } from '../../simulator/twins/twins.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** What the lines of a test are written with. */
export interface WriterParts {
  names: Names;
  references: References;
  clients: ApiClients;
  /** Writes a line. */
  write(line: Expression): void;
  /** Writes a call as a statement. */
  writeCall(callee: Expression, args: Code[]): void;
}

/** The functions of a client for requests without headers of their own, by method. */
const FUNCTIONS = new Map([
  ['GET', code`get`],
  ['POST', code`post`],
  ['PATCH', code`patch`],
  ['DELETE', code`delete`],
]);

/**
 * Returns a function that writes the lines of a request, whose reply is in the variable of that name; its promise where it is not
 * awaited.
 */
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

  function writeRequest(call: TraceCall, variable: Expression, isAwaited = true): void {
    const { method, url, headers } = call;
    const client = clients.clientFor(headers);
    const content = bodyCode(call);
    const path = textCode(url);
    const more = otherHeaders(headers, references);
    const isPlain = !more && (!call.body || !('text' in call.body));
    const simple = FUNCTIONS.get(method);
    const head = isAwaited ? code`const ${variable} = await ${client}` : code`const ${variable} = ${client}`;
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

/** Writes the lines of a test about terminals. */
export function createTerminalLines({
  names,
  references: { textCode, constants },
  write,
  writeCall,
}: WriterParts) {
  const tills = new Map<string, Expression>();
  const tillLines: Expression[] = [];

  /** Returns the name of the till of a terminal. */
  function tillOf(terminalId: string): Expression {
    const known = tills.get(terminalId);
    if (known !== undefined) return known;
    const name = tills.size === 0 ? code`till` : names.take('till');
    tills.set(terminalId, name);
    const line = code`const ${name} = world.tillOf(${textCode(terminalId)});`;
    // The id may be read from a reply before it.
    if (constants.has(terminalId)) tillLines.push(line);
    else write(line);
    return name;
  }

  function openTill({ terminalId, deviceType, twin, cardholder, readLatencyMs }: ItemOf<'terminal'>): void {
    const name = tills.size === 0 ? code`till` : names.take('till');
    tills.set(terminalId, name);
    const hasReader = twin === undefined || twin === RECEIPT_PRINTER.name;
    const reader = hasReader ? { deviceType, readLatencyMs, twin } : { twin };
    const options = { terminalId, ...reader, cardholder };
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    writeCall(code`const ${name} = await world.openTill`, [codeOf(Object.fromEntries(given), textCode)]);
  }

  function perform({ terminalId, act }: ItemOf<'act'>): void {
    writeCall(code`${tillOf(terminalId)}.terminal.perform`, [codeOf(typedKeys(act), textCode)]);
  }

  return { tillOf, openTill, perform, tillLines };
}

const DIGIT = /^\{\{(?:pin|wrong):\d+\}\}$/;

/** Returns what is sent to a terminal with the digits of the test PIN, or wrong ones, in place of their placeholders. */
function typedKeys(sent: unknown): unknown {
  const { fill } = fillPlaceholders([], { clock: new VirtualClock(0), random: seededRandom('') });
  return mapTexts(sent, (text) => (DIGIT.test(text) ? fill(text) : text));
}
