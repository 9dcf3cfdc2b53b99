import { useState } from 'preact/hooks';
import type { StoredRequest } from '../../view.ts';
import { pathInSandbox } from '../link/sandbox-path.ts';
import { hiddenPaths, uploadFormOf, type UploadForm } from './stored-body.ts';
import { type SentRequest, LANGUAGES, requestCode, type Language } from './request-code.ts';
import { CopyButton } from '../parts/copy-button.tsx';

/** A request as curl and as code of several languages, to copy. */
export function CodeSamples({ request }: { request: StoredRequest }) {
  const isHidden = hiddenPaths(request.body).length > 0 || hiddenPaths(request.query).length > 0;
  const form = uploadFormOf(request);
  return (
    <section class="detail-section" aria-label="Code">
      <h2>Code</h2>
      {isHidden && <p class="quiet-line">Replace what is hidden (··) by its value.</p>}
      {form && <p class="quiet-line">{fileNote(form, request)}</p>}
      <CodeBlock request={sentRequest(request)} />
    </section>
  );
}

function fileNote({ file }: UploadForm, { body }: StoredRequest): string {
  if (body === null) return 'The form was not read. Add its fields and its file.';
  return file ? `It reads ${file.name} from the folder in which it runs.` : 'The form had no file.';
}

/** Returns a stored request as it is sent again. Its idempotency key is left out, which would return the first reply. */
function sentRequest(request: StoredRequest): SentRequest {
  const { method, path, query, headers, body, keyLastFour } = request;
  const form = uploadFormOf(request);
  const account = (headers as Record<string, string>)['account'];
  return {
    method,
    url: location.origin + pathInSandbox(pathWithQuery({ path, query }), location.pathname),
    headers: {
      ...(body !== null && !form && { 'content-type': 'application/json' }),
      ...(account !== undefined && { account }),
    },
    body: form ? undefined : (body ?? undefined),
    form,
    hasKey: keyLastFour !== null,
  };
}

export function pathWithQuery({ path, query }: Pick<StoredRequest, 'path' | 'query'>): string {
  const text = new URLSearchParams(query as Record<string, string>).toString();
  return text ? `${path}?${text}` : path;
}

/** The language of the last block, which the next one starts with. */
let last: Language = 'curl';

/**
 * A request as code of the language that is selected, to copy.
 * @param secretKey is in the copied curl in place of the variable; it is never shown.
 */
export function CodeBlock({ request, secretKey }: { request: SentRequest; secretKey?: string | undefined }) {
  const [language, setLanguage] = useState<Language>(last);
  const code = requestCode(language, request);
  const copied =
    language === 'curl' && secretKey !== undefined ? code.replace('$SECRET_KEY', secretKey) : code;
  const select = (name: Language) => {
    last = name;
    setLanguage(name);
  };
  return (
    <>
      <div class="segments" role="group" aria-label="Language">
        {LANGUAGES.map((name) => (
          <button key={name} aria-pressed={name === language} onClick={() => select(name)}>
            {name}
          </button>
        ))}
      </div>
      <div class="json">
        <CopyButton text={copied} what={`${language} code`} />
        <pre tabIndex={0}>{code}</pre>
      </div>
    </>
  );
}
