// @ts-check

/** A mistake of the user, whose message is all that is printed. */
export class UsageError extends Error {}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
const NAME_MAX = 40;

/**
 * Checks a name of words in small letters, such as `gift-card`.
 * @param {string} name
 */
export function checkName(name) {
  if (name.length > NAME_MAX)
    throw new UsageError(
      `'${name.slice(0, NAME_MAX)}…' is too long: a name has at most ${NAME_MAX} characters`,
    );
  if (!KEBAB.test(name))
    throw new UsageError(
      `'${name}' is not a name: use words of small letters and digits, joined by '-', such as gift-card`,
    );
}

/**
 * Returns the forms of a name that templates use, by their placeholders.
 * @param {string} name such as `gift-card`
 */
export function formsOf(name) {
  const words = name.replaceAll('-', ' ');
  const plural = pluralOf(name);
  return {
    name,
    words,
    Words: capital(words),
    camel: camelOf(name),
    Pascal: capital(camelOf(name)),
    CONSTANT: name.replaceAll('-', '_').toUpperCase(),
    plural,
    plurals: camelOf(plural),
    Plurals: capital(camelOf(plural)),
    'plural words': plural.replaceAll('-', ' '),
    'Plural words': capital(plural.replaceAll('-', ' ')),
    article: /^[aeiou]/.test(name) ? 'an' : 'a',
    Article: /^[aeiou]/.test(name) ? 'An' : 'A',
  };
}

/** @param {string} name */
export function camelOf(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** @param {string} name */
function pluralOf(name) {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
