import contract from '../../../clients/contract.json' with { type: 'json' };
import { asGoMember, inLowerWords } from './names.ts';
import { LANGUAGES, type Language } from './public-members.ts';

interface DeclaredMember {
  name: string;
  does: string;
  /** Names that are not those of the style of a language; in parentheses, a means of the language itself. */
  names?: Partial<Record<Language, string | string[]>>;
}

interface DeclaredType {
  type: string;
  about: string;
  members: DeclaredMember[];
}

/** What packages for tests have, and what is of one language alone: a type with its members, or a member (clients/contract.json). */
export const CONTRACT: { types: DeclaredType[]; own: Record<Language, string[]> } = contract;

/** Returns the names of a member in a language. */
export function namesOf(
  language: Language,
  { type }: DeclaredType,
  { name, names }: DeclaredMember,
): string[] {
  const given = names?.[language];
  if (given !== undefined) return [given].flat();
  if (language === 'typescript') return [];
  return [`${type}.${{ python: inLowerWords, php: String, java: String, go: asGoMember }[language](name)}`];
}

export const isMeansOfLanguage = (name: string) => name.startsWith('(');

const cell = (names: readonly string[]) =>
  names.map((name) => (isMeansOfLanguage(name) ? name : `\`${name}\``)).join(', ');

/** Returns the table of clients/README.md. */
export function contractTable(): string {
  const languages = Object.keys(LANGUAGES) as Language[];
  const heads = ['What it is', ...Object.values(LANGUAGES)];
  const tables = CONTRACT.types.map((type) => {
    const rows = type.members.map((member) => [
      member.does,
      ...languages.map((language) => cell(namesOf(language, type, member))),
    ]);
    const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    return `### ${type.type}\n\n${type.about}.\n\n${lines.join('\n')}\n`;
  });
  return tables.join('\n');
}
