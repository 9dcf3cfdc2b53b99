import type { FrameParser } from '../frame-channel.ts';

/** A reply of a terminal, or why its bytes are none. */
type HttpReply = { type: 'reply'; status: number; body: string } | { type: 'broken'; reason: string };

const HEAD_BYTES_MAX = 16_384;
const BODY_BYTES_MAX = 262_144;

/** Encodes the request that carries a message. */
export function encodeHttpRequest(host: string, body: string): Uint8Array<ArrayBuffer> {
  const head = [
    'POST /nexo/ HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return Uint8Array.from(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`));
}

interface HttpParser extends FrameParser<HttpReply> {
  /** Returns the reply whose end is that of the connection; undefined when there is none, or it is cut. */
  end(): HttpReply | undefined;
}

/** What the next bytes are. */
type Part =
  | { what: 'head' }
  | { what: 'body'; left: number }
  | { what: 'untilEnd' }
  | { what: 'chunkSize' }
  | { what: 'chunk'; left: number }
  | { what: 'over' };

/** Creates a parser for one reply (HTTP/1.1, RFC 9112). */
export function createHttpParser(): HttpParser {
  const reply = new ReplyReader();
  return {
    push(bytes) {
      const replies: HttpReply[] = [];
      for (const byte of bytes) {
        const found = reply.take(byte);
        if (found) replies.push(found);
      }
      return replies;
    },
    end: () => reply.end(),
  };
}

class ReplyReader {
  #part: Part = { what: 'head' };
  #line = '';
  #head: string[] = [];
  #headBytes = 0;
  #status = 0;
  readonly #body: number[] = [];

  take(byte: number): HttpReply | undefined {
    const part = this.#part;
    if (part.what === 'over') return undefined;
    if (part.what === 'head' || part.what === 'chunkSize') return this.#takeLine(byte);
    this.#body.push(byte);
    if (this.#body.length > BODY_BYTES_MAX) return this.#broken(TOO_LONG);
    if (part.what === 'untilEnd') return undefined;
    part.left -= 1;
    if (part.left > 0) return undefined;
    if (part.what === 'body') return this.#finished();
    this.#part = { what: 'chunkSize' };
    return undefined;
  }

  end(): HttpReply | undefined {
    return this.#part.what === 'untilEnd' ? this.#finished() : undefined;
  }

  #takeLine(byte: number): HttpReply | undefined {
    this.#headBytes += 1;
    if (this.#headBytes > HEAD_BYTES_MAX)
      return this.#broken(`its head has more than ${HEAD_BYTES_MAX} bytes`);
    if (byte !== LINE_FEED) {
      this.#line += String.fromCharCode(byte);
      return undefined;
    }
    const text = this.#line.replace(/\r$/, '');
    this.#line = '';
    if (this.#part.what === 'chunkSize') return this.#startChunk(text);
    if (text === '') return this.#endHead();
    this.#head.push(text);
    return undefined;
  }

  #endHead(): HttpReply | undefined {
    const found = /^HTTP\/1\.[01] ([1-5][0-9]{2})/.exec(this.#head[0] ?? '');
    if (!found) return this.#broken('its first line has no status');
    this.#status = Number(found[1]);
    const fields = new Map(this.#head.slice(1).map(fieldOf));
    this.#head = [];
    // An interim reply is followed by the real one.
    if (this.#status < 200) return undefined;
    const length = fields.get('content-length');
    if (/chunked/i.test(fields.get('transfer-encoding') ?? '')) this.#part = { what: 'chunkSize' };
    else if (length !== undefined) return this.#startBody(length);
    else this.#part = { what: 'untilEnd' };
    return undefined;
  }

  #startBody(length: string): HttpReply | undefined {
    if (!/^[0-9]{1,9}$/.test(length)) return this.#broken('its Content-Length is no number');
    const left = Number(length);
    if (left > BODY_BYTES_MAX) return this.#broken(TOO_LONG);
    this.#part = { what: 'body', left };
    return left === 0 ? this.#finished() : undefined;
  }

  #startChunk(text: string): HttpReply | undefined {
    // The line end after a chunk is empty.
    if (text === '') return undefined;
    const size = /^([0-9A-Fa-f]{1,6})(;|$)/.exec(text)?.[1];
    if (size === undefined) return this.#broken('a chunk has no size');
    const left = Number.parseInt(size, 16);
    if (left === 0) return this.#finished();
    this.#part = { what: 'chunk', left };
    return undefined;
  }

  #broken(reason: string): HttpReply {
    this.#part = { what: 'over' };
    return { type: 'broken', reason: `HTTP reply: ${reason}` };
  }

  #finished(): HttpReply {
    this.#part = { what: 'over' };
    return { type: 'reply', status: this.#status, body: Buffer.from(this.#body).toString('utf8') };
  }
}

const TOO_LONG = `its body has more than ${BODY_BYTES_MAX} bytes`;
const LINE_FEED = 0x0a;

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
