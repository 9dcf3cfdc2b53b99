import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for the loopback that signs itself. */
export function makeCertificate(): { cert: string; key: string } {
  const directory = mkdtempSync(join(tmpdir(), 'tapbench-certificate-'));
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(directory, name)) as [string, string];
  const subject = ['-subj', '/CN=tapbench', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-out', cert, '-keyout', key], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(directory, { recursive: true });
  return made;
}
