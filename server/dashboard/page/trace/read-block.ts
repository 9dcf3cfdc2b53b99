/** Reads the compressed JSON of a block of a page that is one file. */
export async function readBlock<T>(id: string): Promise<T> {
  const compressed = atob(document.getElementById(id)!.textContent);
  const bytes = Uint8Array.from(compressed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as T;
}
