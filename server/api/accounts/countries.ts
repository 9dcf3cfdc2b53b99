// Codes that Intl names but that are not countries of ISO 3166-1: reserved codes, groups, placeholders.
const RESERVED = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

type Countries = readonly (readonly [code: string, name: string])[];

let known: Countries | undefined;

/** Returns the countries of ISO 3166-1 with their English names, sorted by name. Made at the first call, which takes long. */
export function countries(): Countries {
  return (known ??= namedCountries());
}

function namedCountries(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !RESERVED.includes(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      // Intl maps withdrawn codes to their successors.
      return name && new Intl.Locale(`und-${code}`).region === code ? [[code, name]] : [];
    })
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
