/** HTML whose inserted values are escaped. `safeHtml` and `trustedHtml` alone make it. */
export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template inserts: text is escaped, HTML and lists of it are not; nothing is inserted for the other three. */
type HtmlValue = SafeHtml | string | number | false | null | undefined | readonly HtmlValue[];

/**
 * Template tag that escapes each inserted text, for element content and quoted attributes. Not for the content of
 * `<script>` and `<style>`, nor for attributes without quotes.
 */
export function safeHtml(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(toHtml)));
}

/** Marks text as HTML that needs no escaping. For constants of the program only. */
export function trustedHtml(text: string): SafeHtml {
  return new SafeHtml(text);
}

function toHtml(value: HtmlValue): string {
  if (value === false || value === null || value === undefined) return '';
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map(toHtml).join('');
  return escape(String(value));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
