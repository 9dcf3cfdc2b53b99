import { useState } from 'preact/hooks';
import type { Delivery } from '../../view.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { JsonView } from '../parts/sent-content.tsx';
import { SIGNATURE_LANGUAGES, signatureCode, type SignatureLanguage } from './signature-code.ts';

/** The body of a delivery, its signature, how that is computed, and code that verifies it. */
export function SignedBody({ delivery: { body, signature } }: { delivery: Delivery }) {
  const [isExact, setExact] = useState(false);
  const bytes = new TextEncoder().encode(body).length.toLocaleString('en');
  return (
    <>
      <section class="detail-section" aria-label="Signature">
        <h2>Signature</h2>
        <p>
          {signature.algorithm} of the body, all {bytes} bytes as they are sent, with the secret of the
          endpoint as key, its <code>whs_</code> included; in lower-case hex, in the header{' '}
          <code>{signature.header}</code>.
        </p>
        {signature.value === null ? (
          <p class="quiet-line">The endpoint was deleted, and its secret with it.</p>
        ) : (
          <p class="mono signature-value">
            {signature.value} <CopyButton text={signature.value} what="signature" />
          </p>
        )}
        {signature.value !== null && <VerifyCode signed={{ body, signature: signature.value }} />}
      </section>
      <section class="detail-section" aria-label="Body">
        <h2>Body</h2>
        <div class="segments" role="group" aria-label="Form of the body">
          <button aria-pressed={!isExact} onClick={() => setExact(false)}>
            Formatted
          </button>
          <button aria-pressed={isExact} onClick={() => setExact(true)}>
            As signed
          </button>
        </div>
        {isExact ? (
          <div class="json">
            <CopyButton text={body} what="body" />
            <pre tabIndex={0}>{body}</pre>
          </div>
        ) : (
          <JsonView value={JSON.parse(body)} />
        )}
      </section>
    </>
  );
}

function VerifyCode({ signed }: { signed: { body: string; signature: string } }) {
  const [language, setLanguage] = useState<SignatureLanguage>('Node');
  const code = signatureCode(language, signed);
  return (
    <details class="verify">
      <summary>Verify it with code</summary>
      <div class="segments" role="group" aria-label="Language">
        {SIGNATURE_LANGUAGES.map((name) => (
          <button key={name} aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {name}
          </button>
        ))}
      </div>
      <p class="quiet-line">
        Set <code>WEBHOOK_SECRET</code> to the secret that the registration of the endpoint returned.
      </p>
      <div class="json">
        <CopyButton text={code} what={`${language} code`} />
        <pre tabIndex={0}>{code}</pre>
      </div>
    </details>
  );
}
