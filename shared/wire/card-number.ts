/** What a brand's numbers begin with, and how many digits they have. */
const brands: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [16, 19]], // Visa; of its former 13 digits are German article numbers
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], // Mastercard
  [/^3[47]/, [15]], // American Express
  [/^3(0[0-5]|[689])/, [14]], // Diners Club
  [/^(6011|64[4-9]|65|62|352[89]|35[3-8])/, [16, 17, 18, 19]], // Discover, UnionPay, JCB
  [/^(50(18|20|38)|5893|6304|6759|676[1-3])/, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro, without its rare prefixes
];

/** Whole groups of digits, single spaces or hyphens between them; neither +49 1512 3456789 nor 0.4242424242424242. */
const candidates = [12, 13, 14, 15, 16, 17, 18, 19].map(
  (length) => new RegExp(`(?<!\\d|[+]|\\d[.])(?=(\\d(?:[ -]?\\d){${length - 1}})(?!\\d))`, 'g'),
);

/** Whether a card's number stands in a text: by the Luhn check alone, one time or order number of ten would be one. */
export const containsCardNumber = (text: string): boolean =>
  candidates.some((pattern) => [...text.matchAll(pattern)].some(([, digits = '']) => isCardNumber(digits)));

function isCardNumber(candidate: string): boolean {
  const digits = candidate.replace(/\D/g, '');
  return (
    brands.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) && passesLuhn(digits)
  );
}

function passesLuhn(digits: string): boolean {
  const total = [...digits].reverse().reduce((so, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return so + (value > 9 ? value - 9 : value);
  }, 0);
  return total % 10 === 0;
}
