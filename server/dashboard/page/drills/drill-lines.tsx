import type { DrillLine } from '../../drills/drill-view.ts';

/** Lines that say the same, as one. */
interface Repeated {
  line: DrillLine;
  count: number;
}

/** What happened to a shop, oldest first. A call that is made again and again is one line. */
export function DrillLines({ lines }: { lines: readonly DrillLine[] }) {
  if (lines.length === 0) return <p class="quiet-line">The sandbox is being prepared.</p>;
  const firstMs = lines[0]!.atMs;
  return (
    <ol class="drill-lines">
      {repeatedLines(lines).map(({ line, count }, index) => (
        <li key={index} class={classOf(line)}>
          <time>{formatSeconds(line.atMs - firstMs)}</time>
          <Line line={line} />
          {count > 1 && <span class="drill-count">{count} times</span>}
        </li>
      ))}
    </ol>
  );
}

function Line({ line }: { line: DrillLine }) {
  switch (line.kind) {
    case 'step':
      return (
        <p>
          <b>{line.who}</b> {line.text}
        </p>
      );
    case 'call':
      return (
        <p class="mono" title={line.path}>
          {line.method} {shortPath(line.path)}{' '}
          <span class={isBad(line.status) ? 'bad-words' : undefined}>{line.status ?? 'no reply'}</span>
        </p>
      );
    case 'event':
      return <p class="mono">event {line.eventType}</p>;
  }
}

function classOf(line: DrillLine): string {
  return line.kind === 'step' ? `of-${line.who}` : `is-${line.kind}`;
}

const formatSeconds = (ms: number) => `+${(ms / 1000).toFixed(1)} s`;

const isBad = (status: number | null) => status === null || status >= 400;

/** Returns a path without `/v1` and without the unique part of its ids. */
function shortPath(path: string): string {
  return path.replace(/^\/v1/, '').replaceAll(/\b([a-z]+)_[0-9A-Z]{20,}\b/g, '$1_…');
}

/** Returns the lines with calls that are the same and follow each other as one. */
export function repeatedLines(lines: readonly DrillLine[]): Repeated[] {
  const repeated: Repeated[] = [];
  for (const line of lines) {
    const last = repeated.at(-1);
    if (last && isSame(last.line, line)) last.count += 1;
    else repeated.push({ line, count: 1 });
  }
  return repeated;
}

function isSame(one: DrillLine, other: DrillLine): boolean {
  return (
    one.kind === 'call' &&
    other.kind === 'call' &&
    one.method === other.method &&
    one.path === other.path &&
    one.status === other.status
  );
}
