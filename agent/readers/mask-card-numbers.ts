// Digits in groups, as people read them; a longer run is none (ISO/IEC 7812-1: at most 19 digits).
const NUMBER = /(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/**
 * A text of a device with all but the last four digits of each card number in it hidden: some terminals print the
 * merchant's copy with the whole number, which may not leave the reader module.
 */
export function maskCardNumbers(text: string): string {
  return text.replace(NUMBER, (found) => {
    const digits = found.replaceAll(/[ -]/g, '');
    if (!hasCheckDigit(digits)) return found;
    let left = digits.length;
    return found.replaceAll(/[0-9]/g, (digit) => (left-- > 4 ? '*' : digit));
  });
}

/** ISO/IEC 7812-1 Annex B. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
