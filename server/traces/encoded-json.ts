import { parseOutsideJson } from '../../protocol/outside-json.ts';
/** Returns the JSON object that a text is in Base64 or its URL-safe form; undefined for another text. */
export function encodedJson(text: string): object | undefined {
  if (!/^(?:eyJ|e30)[\w+/=-]*$/.test(text)) return undefined;
  try {
    return parseOutsideJson(Buffer.from(text, 'base64').toString()) as object;
  } catch {
    return undefined;
  }
}

/** Returns a JSON value as text in Base64. */
export function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
