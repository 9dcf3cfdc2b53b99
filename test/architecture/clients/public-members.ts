import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SimulationAct } from '../../../protocol/messages/sandbox.messages.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The languages of the packages for tests, as the table names them. */
export const LANGUAGES = {
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  java: 'Java',
  go: 'Go',
} as const;
export type Language = keyof typeof LANGUAGES;

const filesIn = (folder: string, ends: RegExp) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => ends.test(name))
    .map((name) => ({ name, text: readFileSync(join(ROOT, folder, name), 'utf8') }));

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

/** Returns `Type.member` for each member, and the type itself. */
const ofType = (type: string, members: readonly string[]) => [
  type,
  ...members.map((name) => `${type}.${name}`),
];

function python(): string[] {
  const folder = 'clients/python/src/tapbench';
  const files = filesIn(folder, /\.py$/);
  const listed = all(files.find(({ name }) => name === '__init__.py')!.text, /^ {4}"(\w+)",$/gm);
  const found = files.flatMap(({ name, text }) => {
    if (/^""".*Written by `npm run docs`/.test(text)) return [`module ${basename(name, '.py')}`];
    const fixtures = all(text, /^@pytest\.fixture.*\ndef (\w+)/gm).map((fixture) => `fixture ${fixture}`);
    const environment = all(text, /"(TAPBENCH_TRACES)"/g).map((variable) => `environment ${variable}`);
    const functions = all(text, /^def ([a-z]\w*)/gm).filter((each) => listed.includes(each));
    const classes = text
      .split(/^(?=class )/m)
      .slice(1)
      .flatMap((declared) => {
        const [type = ''] = all(declared, /^class (\w+)/g);
        const body = declared.split(/^(?=\S)/m)[0]!;
        const methods = all(body, /^ {4}def ([a-z]\w*)/gm);
        const fields = [
          ...all(body, /^ {4}([a-z]\w*): /gm),
          ...all(body, /^ {8}self\.([a-z]\w*)(?:: [^=\n]+)? = /gm),
        ];
        return listed.includes(type) ? ofType(type, [...methods, ...fields]) : [];
      });
    return [...fixtures, ...environment, ...functions, ...classes];
  });
  return found;
}

function php(): string[] {
  return filesIn('clients/php/src', /\.php$/).flatMap(({ name, text }) => {
    const type = basename(name, '.php');
    const environment = all(text, /'(TAPBENCH_TRACES)'/g).map((variable) => `environment ${variable}`);
    if (/Written by `npm run docs`/.test(text)) return [type];
    const isInternal = (comment: string) => comment.includes('@internal');
    const [, comment = ''] = /(\/\*\*(?:(?!\*\/)[^])*\*\/)\n(?:final class|trait)/.exec(text) ?? [];
    if (isInternal(comment)) return environment;
    const internal = all(
      text,
      /\/\*\*(?:(?!\*\/)[^])*@internal(?:(?!\*\/)[^])*\*\/\n\s+public (?:static )?function (\w+)/g,
    );
    const methods = all(text, /^ {4}(?:public|abstract protected) (?:static )?function (\w+)/gm).filter(
      (method) => method !== '__construct' && !internal.includes(method),
    );
    // What PHPUnit calls before and after a test is no call of a test.
    const hooks = all(text, /^ {4}#\[(?:Before|After|AfterClass)\]\n {4}public (?:static )?function (\w+)/gm);
    const fields = all(text, /^ +(?:public|protected) (?:readonly )?(?:\??[\w\\]+) \$(\w+)/gm);
    const constants = all(text, /^ {4}public const (\w+)/gm);
    return [
      ...environment,
      ...ofType(
        type,
        [...methods, ...fields, ...constants].filter((member) => !hooks.includes(member)),
      ),
    ];
  });
}

function java(): string[] {
  return filesIn('clients/java/src/main/java/tapbench', /\.java$/).flatMap(({ name, text }) => {
    const type = basename(name, '.java');
    const environment = all(text, /"(TAPBENCH_TRACES)"/g).map((variable) => `environment ${variable}`);
    if (!/^public /m.test(text)) return environment;
    if (/Written by \{@code npm run docs\}/.test(text)) return [type];
    const own = text.replaceAll(/@Override\n(?:.*\n)/g, (overridden) =>
      / close\(\)/.test(overridden) ? overridden : '',
    );
    const methods = all(
      own,
      /^ {4}public (?:static |final |synchronized |<T> )*(?:[\w<>,.? [\]]+) (\w+)\(/gm,
    );
    const components = (/record \w+\(([^)]*)\)/.exec(text)?.[1] ?? '').split(', ').filter(Boolean);
    const fields = all(text, /^ {4}public static final \w+ (\w+)/gm);
    const values = /^public enum/m.test(text) ? all(text, /^ {4}([A-Z_]+)[,\n]/gm) : [];
    const members = /^public @interface/m.test(text) ? all(text, /^ {4}\w+ (\w+)\(\)/gm) : [];
    const named = components.map((component) => component.split(' ').at(-1)!);
    return [...environment, ...ofType(type, [...methods, ...named, ...fields, ...values, ...members])];
  });
}

/** Methods by which packages of Go's library print an error or a value. */
const OF_INTERFACES = ['Error', 'String', 'GoString', 'MarshalJSON', 'ServeHTTP'];

function go(): string[] {
  const found = filesIn('clients/go', /(?<!_test)\.go$/).flatMap(({ text }) => {
    const environment = all(text, /"(TAPBENCH_TRACES)"/g).map((variable) => `environment ${variable}`);
    if (/DO NOT EDIT/.test(text) && !/^func \(/m.test(text)) {
      const constants = all(text, /^\t([A-Z][a-z]+)[A-Z]\w* += /gm).map((prefix) => `constants ${prefix}`);
      return [...constants, ...all(text, /^func ([A-Z]\w*)\(/gm)];
    }
    const methods = [...text.matchAll(/^func \(\w+ \*?([A-Z]\w*)\) ([A-Z]\w*)\(/gm)]
      .filter(([, , method]) => !OF_INTERFACES.includes(method!))
      .map(([, type, method]) => `${type}.${method}`);
    const structs = [...text.matchAll(/^type ([A-Z]\w*) struct \{\n([^]*?)^\}/gm)].flatMap(([, type, body]) =>
      ofType(type!, all(body!, /^\t([A-Z]\w*) +\S/gm)),
    );
    const groups = [...text.matchAll(/^(?:const|var) \(\n([^]*?)^\)/gm)].flatMap(([, body]) =>
      all(body!, /^\t([A-Z]\w*) = /gm),
    );
    const others = [...all(text, /^func ([A-Z]\w*)\(/gm), ...all(text, /^const ([A-Z]\w*) = /gm), ...groups];
    const types = all(text, /^type ([A-Z]\w*) map/gm);
    return [...environment, ...methods, ...structs, ...others, ...types];
  });
  // The types for a test have the members of those that they embed, and some of their own.
  const embedded = (name: string) => name.replace(/^Test(?=[A-Z])/, '');
  return found.filter((name) => embedded(name) === name || !found.includes(embedded(name)));
}

/** The interfaces of `tapbench/world` with their files. */
const INTERFACES = [
  ['testing/world/user-world.ts', ['UserWorldOptions', 'TillOptions', 'UserWorld']],
  ['testing/world/till.ts', ['PayOptions', 'TillTerminal', 'Till']],
  ['testing/world/receivers.ts', ['Delivery', 'Receiver']],
  ['testing/world/api.ts', ['Answer', 'Api']],
  ['simulator/simulated-terminal.ts', ['SimulatedTerminal']],
] as const;

function typescript(): string[] {
  const acts = (SimulationAct.anyOf as unknown as { properties: { act: { const: string } } }[]).map(
    ({ properties }) => `act ${properties.act.const}`,
  );
  const members = INTERFACES.flatMap(([path, names]) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return names.flatMap((name) => {
      const [, heritage, body] = new RegExp(`^export interface ${name}\\b([^{]*)\\{\\n([^]*?)^\\}`, 'm').exec(
        text,
      )!;
      const picked = all(heritage!, /'(\w+)'/g);
      return ofType(name, [...picked, ...all(body!, /^ {2}(?:readonly )?(\w+)\??[:(]/gm)]);
    });
  });
  const exported = ['startWorld', 'CARDS'].filter((name) =>
    new RegExp(`^export (?:async function|const) ${name}\\b`, 'm').test(
      readFileSync(join(ROOT, 'testing/world/user-world.ts'), 'utf8'),
    ),
  );
  return [...acts, ...members, ...exported];
}

/** Returns what a package has that is public, by its sources, such as `Sandbox.advance`. */
export function publicMembers(language: Language): Set<string> {
  return new Set({ typescript, python, php, java, go }[language]());
}
