import { Refusal } from '../../platform/http/refusals.ts';
import { knownSecrets, maskSecrets } from '../../platform/mask-secrets.ts';
import type { Services } from '../../platform/services.ts';
import type { CertificateInput } from './certificate.schema.ts';
import { HeldCertificate } from './held-certificate.ts';

/** Certificates that a sandbox holds at once, ended ones included. */
const CERTIFICATES_MAX = 10;
/** Bytes of all traces of a sandbox: beyond them, the oldest ones are forgotten. */
const TRACES_BYTES = 64_000_000;

/** The certificates that commands make in a sandbox, with the traces of their cases. In memory, which is bounded. */
export interface Certificates {
  /** Begins one, in place of the oldest that is over. @throws Refusal `too_many_certificates` while so many are under way */
  start(input: CertificateInput): HeldCertificate;
  /** Oldest first. */
  list(): HeldCertificate[];
  find(id: string): HeldCertificate | undefined;
  /** Does nothing for one that is held no more. */
  keepTrace(certificate: HeldCertificate, caseId: string, trace: Buffer): void;
  traceOf(certificate: HeldCertificate, caseId: string): Buffer | undefined;
  /** Waits for no command and no answer from now on. */
  stop(): void;
}

/** What the routes of certificates need: the services of the platform, and the certificates of the sandbox. */
export interface CertifiedServices extends Services {
  /** None with live keys. */
  certificates: Certificates | undefined;
}

export function createCertificates({
  activities,
  realClock,
  settings,
}: Pick<Services, 'activities' | 'realClock' | 'settings'>): Certificates {
  const held = new Map<string, HeldCertificate>();
  const traces = new Map<string, Buffer>();
  const known = knownSecrets(settings);
  const keyOf = ({ id }: HeldCertificate, caseId: string) => `${id} ${caseId}`;
  let count = 0;

  function makeRoom(): void {
    if (held.size < CERTIFICATES_MAX) return;
    const oldest = [...held.values()].find(({ isRunning }) => !isRunning);
    if (!oldest) throw new Refusal('too_many_certificates', { limit: CERTIFICATES_MAX });
    held.delete(oldest.id);
    oldest.stop();
    for (const key of traces.keys()) if (key.startsWith(`${oldest.id} `)) traces.delete(key);
  }

  return {
    start(input) {
      makeRoom();
      // Not random: an id of the sandbox's own would change those that come after it.
      const id = `cert_${(count += 1)}`;
      const certificate = new HeldCertificate(id, input, {
        realClock,
        masked: (text) => String(maskSecrets(text, { known })),
        onSilence: () => activities.emit({ kind: 'certificate.broken-off', certificateId: id }),
      });
      held.set(id, certificate);
      return certificate;
    },
    list: () => [...held.values()],
    find: (id) => held.get(id),
    keepTrace(certificate, caseId, trace) {
      if (held.get(certificate.id) !== certificate) return;
      const key = keyOf(certificate, caseId);
      traces.delete(key);
      traces.set(key, trace);
      let bytes = [...traces.values()].reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of traces) {
        if (bytes <= TRACES_BYTES) break;
        traces.delete(oldest);
        bytes -= length;
      }
    },
    traceOf: (certificate, caseId) => traces.get(keyOf(certificate, caseId)),
    stop() {
      for (const certificate of held.values()) certificate.stop();
    },
  };
}

/** Returns the certificates of a sandbox, where their routes are served. */
export function certificatesOf({ certificates }: CertifiedServices): Certificates {
  if (!certificates) throw new Error('a server with live keys has no certificates');
  return certificates;
}
