import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker } from '../../protocol/schema.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import { Certificate, type Subject } from './certificate.ts';
import { certificatePage } from './certificate-page.ts';

const FILE = 'certificate.json';
const PAGE = 'certificate.html';

const problemsOf = checker(Certificate);

/** Writes a certificate and its page into a folder, each in one step. @throws Fault `bad_setting` when it cannot */
export function writeCertificate(folder: string, certificate: Certificate): void {
  try {
    makeFolder(folder);
    replaceFile(join(folder, PAGE), certificatePage(certificate));
    replaceFile(join(folder, FILE), `${JSON.stringify(certificate, null, 2)}\n`, { sync: true });
  } catch (thrown) {
    throw new Fault('bad_setting', `--out ${folder} cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/**
 * Returns the certificate that a run which was broken off has left.
 * @throws Fault `bad_setting` when there is none, or it is of something else
 */
export function readUnfinished(folder: string, subject: Subject): Certificate {
  const path = join(folder, FILE);
  if (!existsSync(path)) throw new Fault('bad_setting', `--resume: there is no ${path}`);
  const certificate = parseCertificate(path);
  const other = (['kind', 'name', 'version', 'seed', 'plan'] as const).find(
    (name) => certificate.subject[name] !== subject[name],
  );
  if (other)
    throw new Fault(
      'bad_setting',
      `--resume: ${path} is of another ${other === 'name' ? subject.kind : other}: run it without --resume`,
    );
  return certificate;
}

function parseCertificate(path: string): Certificate {
  let value: unknown;
  try {
    value = parseOutsideJson(readFileSync(path, 'utf8'));
  } catch (thrown) {
    throw new Fault('bad_setting', `--resume: ${path} cannot be read: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
  if (isCertificate(value)) return value;
  const [problem] = problemsOf(value);
  throw new Fault('bad_setting', `--resume: ${path}: ${problem?.path} ${problem?.message}`);
}

function isCertificate(value: unknown): value is Certificate {
  return problemsOf(value).length === 0;
}
