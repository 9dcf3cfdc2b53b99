// @ts-check
import { parseArgs } from 'node:util';
import { addCard } from './card.mjs';
import { addCommand } from './command.mjs';
import { addDriver } from './driver.mjs';
import { addEvent } from './event.mjs';
import { UsageError } from './names.mjs';
import { addProperty } from './property.mjs';
import { addResource } from './resource.mjs';

/** @typedef {{ area?: string, after?: string, declines?: string, property?: string | undefined }} Options */

const USAGE = `usage: npm run new -- KIND NAME

  resource NAME [--area AREA]     an object of the API and its routes, such as gift-card
  property RESOURCE NAME          a text of a stored object that null clears, such as terminal tillNumber
  event NAME --after EVENT        an event type that follows another one, such as Customer.renamed
  card NAME [--declines CODE]     a simulated card, such as visa-staff; its issuer declines it with a code
  driver NAME                     a driver of a card reader, and its twin
  command NAME                    a command of tapbench

  --no-docs                       does not run npm run docs afterwards
  --help                          prints this`;

const KINDS = {
  resource: addResource,
  property: addProperty,
  event: addEvent,
  card: addCard,
  driver: addDriver,
  command: addCommand,
};
/** The kinds that an option is for. */
const OPTION_OF = { area: 'resource', after: 'event', declines: 'card' };

/**
 * Adds what a command line names to the changes. Returns what to do next, and whether to write the documents again.
 * @param {import('./changes.mjs').Changes} changes
 * @param {readonly string[]} words
 * @throws UsageError for a line that is not complete, and for a name that is taken or that no name can be
 */
export function addNew(changes, words) {
  const { kind, name, docs, options } = parse(words);
  return { next: KINDS[kind](changes, name, options), docs };
}

/**
 * Returns how the command is used when a line asks for it; undefined for another line.
 * @param {readonly string[]} words
 */
export function helpFor(words) {
  return words.includes('--help') || words.includes('-h') ? USAGE : undefined;
}

/**
 * @param {readonly string[]} words
 * @returns {{ kind: keyof typeof KINDS, name: string, docs: boolean, options: Options }}
 */
function parse(words) {
  const { values, positionals } = parsedArguments(words);
  const [kind, name, property, ...more] = positionals;
  if (!kind || !name || more.length > 0) throw new UsageError(USAGE);
  if (!Object.hasOwn(KINDS, kind))
    throw new UsageError(`'${kind}' is no kind: it is one of ${Object.keys(KINDS).join(', ')}\n\n${USAGE}`);
  if ((property !== undefined) !== (kind === 'property')) throw new UsageError(USAGE);
  const { 'no-docs': noDocs = false, ...options } = values;
  for (const [option, of] of Object.entries(OPTION_OF))
    if (option in options && kind !== of) throw new UsageError(`--${option} is for '${of}' alone`);
  return {
    kind: /** @type {keyof typeof KINDS} */ (kind),
    name,
    docs: !noDocs,
    options: { ...options, property },
  };
}

/** @param {readonly string[]} words */
function parsedArguments(words) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        area: { type: 'string' },
        after: { type: 'string' },
        declines: { type: 'string' },
        'no-docs': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
  }
}
