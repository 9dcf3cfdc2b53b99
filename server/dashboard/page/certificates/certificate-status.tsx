import type { ListedCertificate, ShownCertificate } from './certificate-calls.ts';

type Counts = ListedCertificate['counts'];

/** The status of a certificate in words, with the tone of its pill. */
export function certificateStatus(status: ShownCertificate['status']): { words: string; tone: string } {
  if (status === 'Running') return { words: 'under way', tone: 'live' };
  return status === 'Ended' ? { words: 'ended', tone: 'plain' } : { words: 'broken off', tone: 'warn' };
}

const PARTS = [
  ['failed', 'failed', 'bad'],
  ['passed', 'passed', 'good'],
  ['notShown', 'not shown', 'warn'],
  ['running', 'under way', 'live'],
  ['notTried', 'not tried', 'plain'],
] as const;

/** The counts in words: `1 failed, 14 passed, 60 not tried`. */
export function countsText(counts: Counts, leftOut = 0): string {
  const parts = PARTS.flatMap(([name, words]) => (counts[name] > 0 ? [`${counts[name]} ${words}`] : []));
  return [...parts, ...(leftOut > 0 ? [`${leftOut} left out`] : [])].join(', ');
}

/** The counts as a bar. Its words are beside it. */
export function CountsBar({ counts }: { counts: Counts }) {
  return (
    <div class="counts-bar" aria-hidden="true">
      {PARTS.filter(([name]) => counts[name] > 0).map(([name, , tone]) => (
        <i key={name} class={tone} style={{ flexGrow: counts[name] }} />
      ))}
    </div>
  );
}
