/** Returns whether the last digit is the Luhn check digit of those before it (ISO/IEC 7812-1 Annex B). */
export function passesLuhnCheck(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit : 2 * digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
