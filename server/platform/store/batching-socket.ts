import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * A socket that sends what is written to it in one turn of the event loop together. Each call of the system takes longer
 * than a small statement, and wakes the other process.
 */
export class BatchingSocket extends Socket {
  override write(chunk: string | Uint8Array, done?: Done): boolean;
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding, done?: Done): boolean;
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      setImmediate(() => this.uncork());
    }
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, done)
      : super.write(chunk, encoding ?? done);
  }
}
