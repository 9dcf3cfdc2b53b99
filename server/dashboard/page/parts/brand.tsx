/** The mark of Tapbench with its name, as a link. */
export function Brand({ href, label }: { href: string; label: string }) {
  return (
    <a class="brand" href={href} aria-label={label}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" class="mark">
        <rect x="3" y="1.5" width="14" height="17" rx="3" />
        <rect class="mark-screen" x="6" y="4.5" width="8" height="4" rx="1" />
        <path class="mark-keys" d="M7 12h.01M10 12h.01M13 12h.01M7 15h.01M10 15h.01M13 15h.01" />
      </svg>
      <span>Tapbench</span>
    </a>
  );
}
