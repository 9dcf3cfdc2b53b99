import { fieldsOf, type UploadFile, type UploadForm } from './stored-body.ts';

/** A request as it is sent. */
export interface SentRequest {
  method: string;
  /** With origin and query. */
  url: string;
  headers: Record<string, string>;
  /** JSON value, or the text of a body that is no JSON; undefined for none. */
  body: unknown;
  /** Sent in place of a body. Its file is read from the folder in which the program runs. */
  form?: UploadForm | undefined;
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

function curlCode({ method, url, headers, body, form, hasKey }: SentRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl --include --request ${method} ${quoted(url)}`,
    ...(hasKey ? ['--header "Authorization: $SECRET_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(textOf(body))}`]),
    ...(form ? curlParts(form).map(([option, part]) => `${option} ${quoted(part)}`) : []),
  ];
  return lines.join(' \\\n  ');
}

function curlParts({ members, file }: UploadForm): [option: string, part: string][] {
  const name = file && `"${file.name.replaceAll(/[\\"]/g, '\\$&')}"`;
  const parts = fieldsOf(members).map(([field, value]): [string, string] => [
    '--form-string',
    `${field}=${value}`,
  ]);
  return file ? [...parts, ['--form', `file=@${name};type=${file.contentType}`]] : parts;
}

function nodeCode({ method, url, headers, body, form, hasKey }: SentRequest): string {
  const members = [
    ...(hasKey ? ['authorization: env.SECRET_KEY'] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const content =
    typeof body === 'string'
      ? JSON.stringify(body)
      : `JSON.stringify(${indented(JSON.stringify(body, null, 2) ?? '')})`;
  const imports = [
    ...(form?.file ? ["import { readFileSync } from 'node:fs';"] : []),
    ...(hasKey ? ["import { env } from 'node:process';"] : []),
  ];
  return [
    ...(imports.length > 0 ? [...imports, ''] : []),
    ...(form ? [...nodeForm(form), ''] : []),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: { ${members.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: ${content},`]),
    ...(form ? ['  body: form,'] : []),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function nodeForm({ members, file }: UploadForm): string[] {
  const append = (parts: readonly unknown[]) => `form.append(${parts.join(', ')});`;
  const name = JSON.stringify(file?.name);
  const content = `new Blob([readFileSync(${name})], { type: ${JSON.stringify(file?.contentType)} })`;
  return [
    'const form = new FormData();',
    ...fieldsOf(members).map((field) => append(field.map((text) => JSON.stringify(text)))),
    ...(file ? [append(["'file'", content, name])] : []),
  ];
}

function pythonCode({ method, url, headers, body, form, hasKey }: SentRequest): string {
  const members = [
    ...(hasKey ? ['"authorization": os.environ["SECRET_KEY"]'] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  if (form) members.push('"content-type": f"multipart/form-data; boundary={boundary}"');
  const content = typeof body === 'string' ? JSON.stringify(body) : `json.dumps(${pythonValue(body)})`;
  return [
    'import json',
    'import os',
    'import urllib.error',
    'import urllib.request',
    ...(form ? ['import uuid', '', ...pythonForm(form)] : []),
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers={${members.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=${content}.encode(),`]),
    ...(form ? ['    data=content + f"--{boundary}--\\r\\n".encode(),'] : []),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

function pythonForm({ members, file }: UploadForm): string[] {
  const part = (head: string, content: string) => `    (${JSON.stringify(head)}, ${content}),`;
  return [
    'boundary = uuid.uuid4().hex',
    'parts = [',
    ...fieldsOf(members).map(([name, value]) => part(partName(name), `${JSON.stringify(value)}.encode()`)),
    ...(file ? [part(fileHead(file).join('\r\n'), `open(${JSON.stringify(file.name)}, "rb").read()`)] : []),
    ']',
    'content = b"".join(',
    '    f"--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n".encode() + value + b"\\r\\n"',
    '    for head, value in parts',
    ')',
  ];
}

function phpCode({ method, url, headers, body, form, hasKey }: SentRequest): string {
  const lines = [
    ...(hasKey ? ["'Authorization: ' . getenv('SECRET_KEY')"] : []),
    ...Object.entries(headers).map(([name, value]) => phpValue(`${name}: ${value}`)),
  ];
  if (form) lines.push('"Content-Type: multipart/form-data; boundary=$boundary"');
  const content = typeof body === 'string' ? phpValue(body) : `json_encode(${phpValue(body)})`;
  return [
    '<?php',
    ...(form ? phpForm(form) : []),
    '$context = stream_context_create([',
    "    'http' => [",
    `        'method' => ${phpValue(method)},`,
    `        'header' => [${lines.join(', ')}],`,
    ...(body === undefined ? [] : [`        'content' => ${content},`]),
    ...(form ? [`        'content' => "$content--$boundary--\\r\\n",`] : []),
    "        'ignore_errors' => true,",
    '    ],',
    ']);',
    `$reply = file_get_contents(${phpValue(url)}, false, $context);`,
    "echo explode(' ', $http_response_header[0])[1], ' ', $reply, PHP_EOL;",
  ].join('\n');
}

function phpForm({ members, file }: UploadForm): string[] {
  const part = (head: string, content: string) => `    [${head}, ${content}],`;
  const head =
    file &&
    fileHead(file)
      .map(phpValue)
      .join(String.raw` . "\r\n" . `);
  return [
    '$boundary = bin2hex(random_bytes(16));',
    '$parts = [',
    ...fieldsOf(members).map(([name, value]) => part(phpValue(partName(name)), phpValue(value))),
    ...(file ? [part(head!, `file_get_contents(${phpValue(file.name)})`)] : []),
    '];',
    "$content = '';",
    'foreach ($parts as [$head, $value]) {',
    String.raw`    $content .= "--$boundary\r\nContent-Disposition: form-data; $head\r\n\r\n$value\r\n";`,
    '}',
  ];
}

/** Returns the name of a part of a form. What would end it is percent-encoded, as browsers do. */
function partName(name: string, parameter = 'name'): string {
  const encoded = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `${parameter}="${encoded}"`;
}

function fileHead({ name, contentType }: UploadFile): string[] {
  return [`name="file"; ${partName(name, 'filename')}`, `Content-Type: ${contentType}`];
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
