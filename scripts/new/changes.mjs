// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UsageError } from './names.mjs';

/**
 * The new and changed files of a project, kept in memory until all of them are known: a refused name leaves the
 * project as it was.
 * @typedef {ReturnType<typeof openChanges>} Changes
 */

/** @param {string} root the project */
export function openChanges(root) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  /** @type {Set<string>} */
  const created = new Set();
  /** @param {string} path */
  const read = (path) => texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  /** @param {string} path @param {string} opening @returns {number} where the text ends */
  const endOf = (path, opening) => {
    const at = read(path).indexOf(opening);
    if (at < 0) throw new Error(`${path} has no '${opening}': scripts/new/ expects it`);
    return at + opening.length;
  };
  /** @param {string} path @param {number} at @param {string} text */
  const insertAt = (path, at, text) => texts.set(path, read(path).slice(0, at) + text + read(path).slice(at));

  return {
    read,
    /** @param {string} path */
    has: (path) => texts.has(path) || existsSync(join(root, path)),

    /**
     * Returns the paths of the files in a folder, without those that are built or installed.
     * @param {string} folder
     */
    filesIn: (folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),

    /**
     * Creates a file of a template.
     * @param {string} path
     * @param {string} template path in scripts/new/templates
     * @param {Readonly<Record<string, string>>} values by the placeholders, which are between '%'
     */
    create(path, template, values) {
      if (this.has(path)) throw new UsageError(`${path} already exists: choose another name`);
      created.add(path);
      texts.set(path, filled(template, values));
    },

    /**
     * Appends a row to a table, or a statement to a function: before the line that ends what `opening` begins.
     * @param {string} path
     * @param {string} opening
     * @param {string} row
     */
    append(path, opening, row) {
      const from = endOf(path, opening);
      const rest = read(path).slice(from);
      const end = /^[}\])]|\n[}\])]/.exec(rest);
      if (!end) throw new Error(`${path}: '${opening}' has no end`);
      insertAt(path, from + end.index, `\n${row}`);
    },

    /** @param {string} path @param {string} place @param {string} text */
    insertBefore(path, place, text) {
      insertAt(path, endOf(path, place) - place.length, text);
    },

    /**
     * Inserts a text at the first place after an opening: before it unless said otherwise.
     * @param {string} path
     * @param {string} opening
     * @param {string} place
     * @param {string} text
     * @param {'before' | 'after'} side
     */
    insertInside(path, opening, place, text, side = 'before') {
      const from = endOf(path, opening);
      const at = read(path).indexOf(place, from);
      if (at < 0) throw new Error(`${path} has no '${place}' after '${opening}': scripts/new/ expects it`);
      insertAt(path, side === 'before' ? at : at + place.length, text);
    },

    /** @param {string} path @param {string} statement */
    addImport(path, statement) {
      const last = [...read(path).matchAll(/^import [^;]+;\n/gm)].at(-1);
      if (!last) throw new Error(`${path} has no import`);
      insertAt(path, last.index + last[0].length, `${statement}\n`);
    },

    /** @param {string} path @param {string} text */
    appendText(path, text) {
      texts.set(path, read(path) + text);
    },

    /** The paths of the files that are created. */
    created,

    /** Writes all files. Returns their paths. */
    save() {
      for (const [path, text] of texts) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return { created: [...created], changed: [...texts.keys()].filter((path) => !created.has(path)) };
    },
  };
}

/**
 * Returns a template with its placeholders filled in.
 * @param {string} template
 * @param {Readonly<Record<string, string>>} values
 */
export function filled(template, values) {
  const text = readFileSync(join(import.meta.dirname, 'templates', template), 'utf8');
  return text.replace(/%([A-Za-z][A-Za-z ]*)%/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} has an unknown placeholder %${name}%`);
    return value;
  });
}
