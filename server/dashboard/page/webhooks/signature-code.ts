import { phpValue } from '../requests/request-code.ts';

/** A body with its signature, as it was sent. */
interface SignedBody {
  body: string;
  signature: string;
}

export const SIGNATURE_LANGUAGES = ['Node', 'Python', 'PHP'] as const;
export type SignatureLanguage = (typeof SIGNATURE_LANGUAGES)[number];

/** Returns a program that computes the signature of a body with the secret in `WEBHOOK_SECRET`, and prints `valid`. */
export function signatureCode(language: SignatureLanguage, signed: SignedBody): string {
  return { Node: nodeCode, Python: pythonCode, PHP: phpCode }[language](signed);
}

function nodeCode({ body, signature }: SignedBody): string {
  return [
    "import { createHmac, timingSafeEqual } from 'node:crypto';",
    "import { env } from 'node:process';",
    '',
    `const body = ${JSON.stringify(body)};`,
    `const given = Buffer.from('${signature}', 'hex');`,
    "const expected = createHmac('sha256', env.WEBHOOK_SECRET).update(body).digest();",
    "console.log(timingSafeEqual(given, expected) ? 'valid' : 'invalid');",
  ].join('\n');
}

function pythonCode({ body, signature }: SignedBody): string {
  return [
    'import hashlib',
    'import hmac',
    'import os',
    '',
    `body = ${JSON.stringify(body)}`,
    `given = "${signature}"`,
    'secret = os.environ["WEBHOOK_SECRET"]',
    'expected = hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()',
    'print("valid" if hmac.compare_digest(expected, given) else "invalid")',
  ].join('\n');
}

function phpCode({ body, signature }: SignedBody): string {
  return [
    '<?php',
    `$body = ${phpValue(body)};`,
    `$given = '${signature}';`,
    "$expected = hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET'));",
    "echo hash_equals($expected, $given) ? 'valid' : 'invalid', PHP_EOL;",
  ].join('\n');
}
