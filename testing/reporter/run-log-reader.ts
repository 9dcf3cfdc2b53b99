import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { RunLogLine } from '../run-log/run-log-format.ts';

/** A line, with the name of its world, unique across workers. */
export interface ReadLine {
  line: RunLogLine;
  world: string;
}

interface RunLogReader {
  /** Returns the lines since the last call. Lines of one world are in order. */
  read(): ReadLine[];
}

const CHUNK_BYTES = 1 << 18;

/** Reads the log of a test run as it grows. */
export function createRunLogReader(folder: string): RunLogReader {
  const places = new Map<string, { position: number; decoder: StringDecoder; begun: string }>();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);

  function readFile(name: string): ReadLine[] {
    const place = places.get(name) ?? { position: 0, decoder: new StringDecoder('utf8'), begun: '' };
    places.set(name, place);
    const found: ReadLine[] = [];
    const descriptor = openSync(join(folder, name), 'r');
    try {
      for (;;) {
        const bytes = readSync(descriptor, buffer, 0, CHUNK_BYTES, place.position);
        if (bytes === 0) return found;
        place.position += bytes;
        const lines = (place.begun + place.decoder.write(buffer.subarray(0, bytes))).split('\n');
        // A worker may be in the middle of a line.
        place.begun = lines.pop()!;
        for (const text of lines) found.push(lineOf(name, text));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  return { read: () => readdirSync(folder).sort().flatMap(readFile) };
}

function lineOf(file: string, text: string): ReadLine {
  const line = JSON.parse(text) as RunLogLine;
  return { line, world: `${file} ${'world' in line ? line.world : 0}` };
}
