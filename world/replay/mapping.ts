import { idsInText } from '../../protocol/ids.ts';
import { encodedJson, encodeJson } from '../../server/traces/encoded-json.ts';
import { createSecretBook, type SecretBook } from '../../server/traces/secret-book.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import { createBindings, type Bindings, mapTexts } from './bindings.ts';
import { compareValues, type Difference } from './compare-values.ts';
import type { ReplayWorld } from './replay-world.ts';

/** How the recording and the replay are mapped to each other. */
export interface Mapping {
  bindings: Bindings;
  /** Masks what the replay did, as the recording did. */
  book: SecretBook;
  /** Returns a recorded text with the ids and secrets of the replay. */
  map(text: string): string;
  /** Compares masked values, and binds the ids and secrets in them when they agree. */
  compare(recorded: unknown, replayed: unknown, lagMs: number): Difference | undefined;
}

export function createMapping({ snapshot }: Trace, { server, placeholders }: ReplayWorld): Mapping {
  const bindings = createBindings();
  // What the snapshot has is the same on both sides.
  for (const [id] of JSON.stringify(snapshot.lines).matchAll(idsInText())) bindings.bind(id, id);

  function map(text: string): string {
    const json = encodedJson(text);
    if (json) return encodeJson(mapTexts(json, map));
    return placeholders.fill(text.replaceAll(idsInText(), (id) => bindings.replayedFor(id) ?? id));
  }

  return {
    bindings,
    book: createSecretBook(server.services.settings),
    map,
    compare: (recorded, replayed, lagMs) =>
      bindings.attempt(() => compareValues(recorded, replayed, { bindings, lagMs })),
  };
}
