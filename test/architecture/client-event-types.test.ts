import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');

const PYTHON = `"""Types of the events that the server sends. Written by \`npm run docs\`."""

EVENT_TYPES = (
${EVENT_TYPE_NAMES.map((name) => `    "${name}",\n`).join('')})
"""All event types, in the order of the server's documentation."""
`;

const PHP = `<?php

declare(strict_types=1);

namespace Tapbench;

/** Types of the events that the server sends. Written by \`npm run docs\`. */
final class EventTypes
{
    /** All event types, in the order of the server's documentation. */
    public const ALL = [
${EVENT_TYPE_NAMES.map((name) => `        '${name}',\n`).join('')}    ];
}
`;

// `npm run docs` runs this with --update, which writes the files.
test.for([
  ['python/src/tapbench/event_types.py', PYTHON],
  ['php/src/EventTypes.php', PHP],
] as const)('clients/%s: has the event types of the server', async ([path, text]) => {
  await expect(text, `clients/${path} is out of date: run 'npm run docs'`).toMatchFileSnapshot(
    join(CLIENTS, path),
  );
});
