import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { bodyOf } from '../../protocol/api-call.ts';
import { moveFile } from '../../protocol/system/move-file.ts';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';
import { refused } from './api-client.ts';
import { noServer, type ServerAddress } from '../command-line/server-address.ts';
import type { CommandContext } from '../command-line/command-context.ts';

type Context = Pick<CommandContext, 'fetch' | 'interrupted'>;

interface Server extends ServerAddress {
  secretKey: string;
}

/**
 * Downloads a file, readable by its owner only. It is there as a whole or not at all.
 * @throws Fault `server_answer` when the server refuses, `transport` when the file does not arrive, `file` when it
 *   cannot be written
 */
export async function downloadFile(
  { fetch, interrupted }: Context,
  server: Server,
  path: string,
  file: string,
): Promise<void> {
  const { url, secretKey } = server;
  const part = `${file}.part`;
  try {
    const answer = await fetch(url + path, { headers: { authorization: secretKey }, signal: interrupted });
    if (answer.status !== 200 || !answer.body) throw refused('GET', path, await answerOf(answer), server);
    const content = Readable.fromWeb(answer.body);
    await pipeline(content, createWriteStream(part, { mode: PRIVATE_FILE }));
    await moveFile(part, file);
  } catch (thrown) {
    await rm(part, { force: true });
    throw failureOf(thrown, interrupted, server, file);
  }
}

/** Returns the content of a file of the server. @throws Fault `server_answer` when the server refuses */
export async function downloadedFile(
  { fetch, interrupted }: Context,
  server: Server,
  path: string,
): Promise<Buffer> {
  const { url, secretKey } = server;
  const answer = await fetch(url + path, { headers: { authorization: secretKey }, signal: interrupted });
  if (answer.status !== 200) throw refused('GET', path, await answerOf(answer), server);
  return Buffer.from(await answer.arrayBuffer());
}

/** Sends a file as the body of a POST, and returns the reply. @throws Fault as `downloadFile` */
export async function uploadFile<Reply>(
  { fetch, interrupted }: Context,
  server: Server,
  path: string,
  file: string,
): Promise<Reply> {
  const { url, secretKey } = server;
  try {
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { authorization: secretKey, 'content-type': 'application/gzip' },
      body: Readable.toWeb(createReadStream(file)) as ReadableStream,
      duplex: 'half',
      signal: interrupted,
    };
    const answer = await answerOf(await fetch(url + path, init));
    if (answer.status !== 200) throw refused('POST', path, answer, server);
    return answer.body as Reply;
  } catch (thrown) {
    throw failureOf(thrown, interrupted, server, file);
  }
}

async function answerOf(answer: Response): Promise<{ status: number; body: unknown }> {
  return { status: answer.status, body: bodyOf({ text: await answer.text() }) };
}

function failureOf(thrown: unknown, interrupted: AbortSignal, server: ServerAddress, file: string): unknown {
  if (thrown instanceof Fault || interrupted.aborted) return thrown;
  // Of a stream that could not be read, `fetch` gives the reason as the cause.
  const { code, cause } = thrown as NodeJS.ErrnoException;
  const system = (code === undefined ? cause : thrown) as NodeJS.ErrnoException | undefined;
  if (/^E(NOENT|ACCES|ISDIR|NOSPC|ROFS|PERM|NOTDIR)$/.test(system?.code ?? ''))
    return new Fault('bad_setting', `${file}: ${messageOf(system)}`, { cause: thrown });
  if (system?.code === 'ECONNREFUSED') return noServer(server, thrown);
  return new Fault(
    'transport',
    `the file was not transferred to or from ${server.url}: ${messageOf(thrown)}`,
    { cause: thrown },
  );
}
