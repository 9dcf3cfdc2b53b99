// Codes with a name that are no countries of ISO 3166-1: reserved ones, groups, and what stands for none.
const RESERVED = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

/** Countries to choose from, by their names in English. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = countries();

function countries(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !RESERVED.includes(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      // A code that was given up is another one by now.
      return name && new Intl.Locale(`und-${code}`).region === code ? [[code, name]] : [];
    })
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
