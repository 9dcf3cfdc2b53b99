import { sandboxPrefix } from '../link/sandbox-path.ts';

const GUIDES = [
  { file: 'quick-start', label: 'Quick start', about: 'a first payment, step by step' },
  { file: 'in-person-payments', label: 'In-person payments', about: 'terminals, receipts, what goes wrong' },
  { file: 'online-payments', label: 'Online payments', about: 'a website or an app' },
  { file: 'webhooks', label: 'Receive events', about: 'endpoints, retries, signatures' },
  { file: 'testing', label: 'Testing', about: 'with vitest, or in any language' },
  { file: 'command-line', label: 'Command line', about: 'every command and setting' },
] as const;

/** Links to the reference and to the guides, which this server serves. */
export function ReadingList() {
  const prefix = sandboxPrefix(location.pathname);
  return (
    <section class="home-part" aria-labelledby="reading-title">
      <h2 id="reading-title">Read on</h2>
      <ul class="home-reading">
        <li>
          <a href={`${prefix}/docs`}>API reference</a> <span>every operation, to try here</span>
        </li>
        {GUIDES.map(({ file, label, about }) => (
          <li key={file}>
            <a href={`${prefix}/guides/docs/${file}.md`}>{label}</a> <span>{about}</span>
          </li>
        ))}
        <li>
          <a href={`${prefix}/guides`}>All documents</a>
        </li>
      </ul>
    </section>
  );
}
