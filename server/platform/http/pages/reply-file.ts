import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface FileFacts {
  /** Content type. */
  type: string;
  bytes: number;
  /** Name under which a browser saves it: letters, digits, `.`, `-` and `_`. */
  name: string;
}

/** A reply that is a file. */
export class ReplyFile {
  readonly content: Readable;
  readonly facts: FileFacts;

  constructor(content: Readable, facts: FileFacts) {
    this.content = content;
    this.facts = facts;
  }
}

/**
 * Sends a file. Rejects when the client has closed the connection, or the file cannot be read; the client then sees that
 * it is not complete.
 */
export async function sendFile({ content, facts }: ReplyFile, response: ServerResponse): Promise<void> {
  const { type, bytes, name } = facts;
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  });
  await pipeline(content, response);
}
