/** Matches a UUID, a hash or an API key's id. Their digits are random. */
const digest =
  /(?<![0-9a-z])(?=(?:[\d-]*[a-f]){4})(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[0-9a-f]{21}|[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}))(?![0-9a-z])/gi;

const day =
  '(?:(?:19|20)\\d\\d([-./ ])(?:0[1-9]|1[0-2])\\1(?:0[1-9]|[12]\\d|3[01])|(?:0?[1-9]|[12]\\d|3[01])([-./ ])(?:0?[1-9]|1[0-2])\\2(?:19|20)\\d\\d)';
const time = '(?:[01]\\d|2[0-3])[-.: ][0-5]\\d(?:[-.: ][0-5]\\d)?';
/** Matches a date, with or without the time: `2026-03-01 12.30`, `01.03.2026`. */
const moment = new RegExp(`(?<!\\d)${day}(?:[-. /T]${time})?(?!\\d)`, 'g');

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipAddress = new RegExp(`(?<![\\d.])${octet}(?:\\.${octet}){3}(?![\\d.])`, 'g');

/** The text without the parts that, by their form, are certainly not card numbers. */
export const withoutOtherNumbers = (text: string): string =>
  text.replace(digest, ';').replace(moment, ';').replace(ipAddress, ';');

/**
 * Whether check digits or the form show that a number is not a card number. Almost no random number passes this test.
 */
export const isOtherNumber = (digits: string): boolean =>
  isArticle(digits) || isBrazilianCompany(digits) || saudiTaxId.test(digits) || orderTime.test(digits);

/**
 * Whether a number is a GTIN-14 (an article number). One in ten Diners Club numbers has this form too, but an article
 * number is as likely.
 */
const isArticle = (digits: string): boolean =>
  digits.length === 14 && sumOf(digits, (place) => (place % 2 === 0 ? 3 : 1)) % 10 === 0;

/** Whether a number is a CNPJ (Brazil): eight digits, the branch, two check digits. */
function isBrazilianCompany(digits: string): boolean {
  if (!/^\d{8}00\d{4}$/.test(digits)) return false;
  return [12, 13].every((length) => {
    const rest = sumOf(digits.slice(0, length), (place) => ((length - 1 - place) % 8) + 2) % 11;
    return Number(digits[length]) === (rest < 2 ? 0 : 11 - rest);
  });
}

/** A VAT number of Saudi Arabia. */
const saudiTaxId = /^3\d{9}0\d\d03$/;

/** Matches an order number made from the time: `yyMMdd`, then the time of day or a number with leading zeros. */
const orderTime = /^2[2-7](?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d[0-5]\d\d{4}|0{4}\d{6})$/;

const sumOf = (digits: string, weight: (place: number) => number): number =>
  [...digits].reduce((sum, digit, place) => sum + Number(digit) * weight(place), 0);
