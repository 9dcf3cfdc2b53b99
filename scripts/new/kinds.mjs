// @ts-check
import { parseArgs } from 'node:util';
import { addCard } from './card.mjs';
import { addCommand } from './command.mjs';
import { addDriver } from './driver.mjs';
import { addEvent } from './event.mjs';
import { UsageError } from './names.mjs';
import { addResource } from './resource.mjs';

const USAGE = `usage: npm run new -- KIND NAME

  resource NAME [--area AREA]     an object of the API and its routes, such as gift-card
  event NAME [--after EVENT]      an event type, such as Customer.renamed
  card NAME                       a simulated card, such as visa-staff
  driver NAME                     a driver of a card reader, and its twin
  command NAME                    a command of tapbench

  --no-docs                       does not run npm run docs afterwards`;

const KINDS = {
  resource: addResource,
  event: addEvent,
  card: addCard,
  driver: addDriver,
  command: addCommand,
};
/** The kinds that an option is for. */
const OPTION_OF = { area: 'resource', after: 'event' };

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
 * @param {readonly string[]} words
 * @returns {{ kind: keyof typeof KINDS, name: string, docs: boolean, options: { area?: string, after?: string } }}
 */
function parse(words) {
  const { values, positionals } = parsedArguments(words);
  const [kind, name, ...more] = positionals;
  if (!kind || !name || more.length > 0) throw new UsageError(USAGE);
  if (!Object.hasOwn(KINDS, kind))
    throw new UsageError(`'${kind}' is no kind: it is one of ${Object.keys(KINDS).join(', ')}\n\n${USAGE}`);
  const { 'no-docs': noDocs = false, ...options } = values;
  for (const [option, of] of Object.entries(OPTION_OF))
    if (option in options && kind !== of) throw new UsageError(`--${option} is for '${of}' alone`);
  return { kind: /** @type {keyof typeof KINDS} */ (kind), name, docs: !noDocs, options };
}

/** @param {readonly string[]} words */
function parsedArguments(words) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { area: { type: 'string' }, after: { type: 'string' }, 'no-docs': { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
  }
}
