// @ts-check
import { basename } from 'node:path';
import { parseSync } from 'oxc-parser';

const OTHER_OPERATOR = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
  ['&&', '||'],
  ['||', '&&'],
]);

/** Types that have an expression in them. */
const TYPED_EXPRESSIONS = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/**
 * Returns a TypeScript source that has all its mutants in it, and what each changes. A mutant is in force while
 * `isMutant` (global) returns true for its number; `first` is the number of the first. Only what is in functions is
 * mutated, since all else runs before a mutant is chosen. Calls of a log stay as they are.
 * @param {string} path
 * @param {string} text
 * @param {number} first
 */
export function mutateSource(path, text, first) {
  const source = new Source(path, text, first);
  const { program } = parseSync(path, text);
  return { text: source.mutated(program), changes: source.changes };
}

class Source {
  /** @type {string[]} */
  changes = [];
  #path;
  #text;
  #first;

  /** @param {string} path @param {string} text @param {number} first */
  constructor(path, text, first) {
    this.#path = path;
    this.#text = text;
    this.#first = first;
  }

  /** @param {Node} node @param {Node[]} [above] what it is in, nearest last @returns {string} */
  mutated(node, above = []) {
    if (this.#isLeftAlone(node)) return this.#of(node);
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      text += this.#text.slice(at, child.start) + this.mutated(child, [...above, node]);
      at = child.end;
    }
    text += this.#text.slice(at, node.end);
    if (!above.some(({ type }) => /Function/.test(type))) return text;
    const parent = /** @type {Node} */ (above.at(-1));
    const isUpdate = above.some((each) => each.type === 'CallExpression' && each['callee'].name === 'assign');
    const own = this.#mutate(node, { parent, isUpdate }, text);
    if (parent.type !== 'IfStatement' || parent['test'] !== node) return own;
    return this.#instead(
      `never if (${this.#of(node)})`,
      'false',
      this.#instead(`always if (${this.#of(node)})`, 'true', own),
    );
  }

  /** @param {Node} node */
  #isLeftAlone(node) {
    if (node.type === 'CallExpression') return /(^|\.)log\.\w+$/.test(this.#of(node['callee']));
    return node.type.startsWith('TS') && !TYPED_EXPRESSIONS.includes(node.type);
  }

  /**
   * @param {Node} node
   * @param {{ parent: Node, isUpdate: boolean }} place `isUpdate`: in an update of a machine's context
   * @param {string} text with the mutants of its parts
   */
  #mutate(node, { parent, isUpdate }, text) {
    const other = OTHER_OPERATOR.get(node['operator']);
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [this.#of(node['left']), this.#of(node['right'])];
        if (node['operator'] === '??') return this.#replaced(node, right, text);
        return other ? this.#replaced(node, `${left} ${other} ${right}`, text) : text;
      }
      case 'ConditionalExpression': {
        const [yes, no] = [this.#of(node['consequent']), this.#of(node['alternate'])];
        return this.#replaced(node, yes, this.#replaced(node, no, text));
      }
      case 'UnaryExpression':
        return node['operator'] === '!' ? this.#replaced(node, this.#of(node['argument']), text) : text;
      case 'Literal':
        if (typeof node['value'] === 'boolean') return this.#replaced(node, String(!node['value']), text);
        if (typeof node['value'] === 'number') return this.#replaced(node, String(node['value'] + 1), text);
        return text;
      case 'Property':
      case 'SpreadElement':
        if (parent.type !== 'ObjectExpression' || !(isUpdate || node.type === 'SpreadElement')) return text;
        return `...${this.#instead(`without ${this.#of(node)}`, '{}', `{ ${text} }`)}`;
      case 'ExpressionStatement':
        return `{ if (!${this.#isMutant(`without ${this.#of(node)}`)}) ${text} }`;
      default:
        return text;
    }
  }

  /** @param {Node} node @param {string} by @param {string} text */
  #replaced(node, by, text) {
    return this.#instead(`${by} for ${this.#of(node)}`, by, text);
  }

  /** @param {string} change @param {string} mutated @param {string} text */
  #instead(change, mutated, text) {
    return `(${this.#isMutant(change)} ? (${mutated}) : (${text}))`;
  }

  /** @param {string} change */
  #isMutant(change) {
    const id = `${basename(this.#path)}: ${change.replace(/\s+/g, ' ')}`;
    const same = this.changes.filter((each) => each === id || each.startsWith(`${id} (`)).length;
    this.changes.push(same === 0 ? id : `${id} (${same + 1})`);
    return `globalThis.isMutant?.(${this.#first + this.changes.length - 1})`;
  }

  /** @param {Node} node */
  #of({ start, end }) {
    return this.#text.slice(start, end);
  }
}

/** @param {Node} node @returns {Node[]} in the order of the text */
function childrenOf(node) {
  // In these the same text is two nodes.
  if (/^(Import|Export)Specifier$/.test(node.type) || node['shorthand']) return [];
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string' && typeof value.start === 'number')
    .sort((a, b) => a.start - b.start);
}
