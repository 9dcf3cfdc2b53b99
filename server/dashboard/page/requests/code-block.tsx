import { useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import { LANGUAGES, requestCode, type Language, type SentRequest } from './request-code.ts';

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
