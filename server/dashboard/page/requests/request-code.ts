/** A request as it is sent. */
export interface SentRequest {
  method: string;
  /** With origin and query. */
  url: string;
  headers: Record<string, string>;
  /** JSON value, or the text of a body that is no JSON; undefined for none. */
  body: unknown;
  /** Whether it is sent with a key, which the code reads from `SECRET_KEY`. */
  hasKey: boolean;
}

export const LANGUAGES = ['curl', 'Node', 'Python', 'PHP'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns a program that sends a request and prints the status and the reply. */
export function requestCode(language: Language, request: SentRequest): string {
  return { curl: curlCode, Node: nodeCode, Python: pythonCode, PHP: phpCode }[language](request);
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

function curlCode({ method, url, headers, body, hasKey }: SentRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl --include --request ${method} ${quoted(url)}`,
    ...(hasKey ? ['--header "Authorization: $SECRET_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(textOf(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

function nodeCode({ method, url, headers, body, hasKey }: SentRequest): string {
  const members = [
    ...(hasKey ? ['authorization: env.SECRET_KEY'] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const content =
    typeof body === 'string'
      ? JSON.stringify(body)
      : `JSON.stringify(${indented(JSON.stringify(body, null, 2) ?? '')})`;
  return [
    ...(hasKey ? ["import { env } from 'node:process';", ''] : []),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: { ${members.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: ${content},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function pythonCode({ method, url, headers, body, hasKey }: SentRequest): string {
  const members = [
    ...(hasKey ? ['"authorization": os.environ["SECRET_KEY"]'] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const content = typeof body === 'string' ? JSON.stringify(body) : `json.dumps(${pythonValue(body)})`;
  return [
    'import json',
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers={${members.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=${content}.encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

function phpCode({ method, url, headers, body, hasKey }: SentRequest): string {
  const lines = [
    ...(hasKey ? ["'Authorization: ' . getenv('SECRET_KEY')"] : []),
    ...Object.entries(headers).map(([name, value]) => phpValue(`${name}: ${value}`)),
  ];
  const content = typeof body === 'string' ? phpValue(body) : `json_encode(${phpValue(body)})`;
  return [
    '<?php',
    '$context = stream_context_create([',
    "    'http' => [",
    `        'method' => ${phpValue(method)},`,
    `        'header' => [${lines.join(', ')}],`,
    ...(body === undefined ? [] : [`        'content' => ${content},`]),
    "        'ignore_errors' => true,",
    '    ],',
    ']);',
    `$reply = file_get_contents(${phpValue(url)}, false, $context);`,
    "echo explode(' ', $http_response_header[0])[1], ' ', $reply, PHP_EOL;",
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`,
  );
  return `{${members.join(', ')}}`;
}

export function phpValue(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(phpValue).join(', ')}]`;
  const members = Object.entries(value).map(([name, inner]) => `${phpValue(name)} => ${phpValue(inner)}`);
  // An empty array would be sent as a list.
  return members.length === 0 ? 'new stdClass()' : `[${members.join(', ')}]`;
}
