import { createHash } from 'node:crypto';
import { between, pickOne } from '../seeded.ts';

type Random = () => number;

export const digitsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, () => between(random, 0, 9)).join('');

const lettersOf = (random: Random, count: number, alphabet: string): string =>
  Array.from({ length: count }, () => pickOne(random, [...alphabet])).join('');

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base62 = `0123456789${upper}${upper.toLowerCase()}`;
const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/** Adds the digit that makes these digits pass the Luhn check. */
export function luhnNumber(digits: string): string {
  const total = [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (total % 10)) % 10}`;
}

/** Adds the GS1 check digit to these digits. */
function articleNumber(digits: string): string {
  const total = [...digits].reverse().reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (total % 10)) % 10}`;
}

/** Cuts digits into groups of these lengths. */
const grouped = (digits: string, lengths: readonly number[], separator: string): string => {
  const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0));
  return ends.map((end, at) => digits.slice(ends[at - 1] ?? 0, end)).join(separator);
};

const instant = (random: Random): Date => new Date(between(random, Date.UTC(2015, 0), Date.UTC(2035, 11, 31)));

const ids = (random: Random): string => {
  const hex = createHash('sha256').update(String(random())).digest('hex');
  const prefix = pickOne(random, ['pdt', 'cks', 'pay', 'ref', 'cus', 'evt', 'whk', 'inv', 'crn', 'brnd', 'reg', 'ovr']);
  return pickOne(random, [
    `${prefix}_${lettersOf(random, 21, base62)}`,
    `key_${hex.slice(0, 21)}`,
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    hex,
    `INV-${between(random, 2020, 2035)}-${padded(between(random, 1, 999_999), 6)}`,
  ]);
};

/** Country codes with the lengths of their national numbers, and the first digits of these numbers. */
const plans: readonly (readonly [code: string, begins: readonly string[], lengths: readonly number[]])[] = [
  ['1', ['2', '3', '4', '5', '6', '7', '8', '9'], [10]],
  ['7', ['3', '4', '8', '9'], [10]],
  ['20', ['1', '2'], [9, 10]],
  ['27', ['1', '6', '7', '8'], [9]],
  ['30', ['2', '69'], [10]],
  ['31', ['1', '6', '7'], [9]],
  ['32', ['2', '4'], [8, 9]],
  ['33', ['1', '6', '7'], [9]],
  ['34', ['6', '7', '8', '9'], [9]],
  ['36', ['1', '20', '30', '70'], [8, 9]],
  ['353', ['1', '8'], [8, 9]],
  ['354', ['4', '6'], [7]],
  ['357', ['2', '9'], [8]],
  ['358', ['4', '5', '9'], [6, 9, 10]],
  ['370', ['3', '6'], [8]],
  ['371', ['2', '6'], [8]],
  ['372', ['5', '6'], [7, 8]],
  ['375', ['17', '29', '33'], [9]],
  ['378', ['0549', '66'], [8, 10]],
  ['380', ['44', '50', '67'], [9]],
  ['381', ['11', '6'], [8, 9]],
  ['385', ['1', '9'], [8, 9]],
  ['386', ['1', '4'], [8]],
  ['389', ['2', '7'], [8]],
  ['39', ['02', '06', '3'], [9, 10, 11]],
  ['40', ['2', '7'], [9]],
  ['41', ['2', '4', '7'], [9]],
  ['43', ['1', '6'], [8, 10, 11, 13]],
  ['44', ['1', '2', '7'], [10]],
  ['45', ['2', '3', '5'], [8]],
  ['46', ['7', '8'], [8, 9]],
  ['47', ['2', '4', '9'], [8]],
  ['48', ['1', '5', '6'], [9]],
  ['49', ['151', '160', '170', '30', '40', '89'], [8, 9, 10, 11, 12, 13]],
  ['501', ['2', '6', '8'], [7]],
  ['502', ['2', '4', '5'], [8]],
  ['503', ['2', '6', '7', '8'], [8]],
  ['52', ['33', '55', '81'], [10]],
  ['55', ['11', '21'], [10, 11]],
  ['58', ['212', '412', '414'], [10]],
  ['60', ['1', '3'], [8, 9, 10]],
  ['61', ['2', '4'], [9]],
  ['62', ['21', '8'], [9, 10, 11, 12]],
  ['63', ['2', '9'], [10]],
  ['64', ['2', '9'], [8, 9, 10]],
  ['65', ['6', '8', '9'], [8]],
  ['66', ['2', '8'], [8, 9]],
  ['675', ['3', '7'], [7, 8]],
  ['676', ['2', '7'], [5, 7]],
  ['81', ['3', '90'], [9, 10]],
  ['86', ['13', '15', '18'], [11]],
  ['880', ['1'], [10]],
  ['91', ['6', '7', '8', '9'], [10]],
  ['971', ['2', '5'], [8, 9]],
];

const phones = (random: Random): string => {
  const [code, begins, lengths] = pickOne(random, plans);
  const begin = pickOne(random, begins);
  const national = begin + digitsOf(random, Math.min(pickOne(random, lengths), 15 - code.length) - begin.length);
  const separator = pickOne(random, [' ', '-', '.', '/', '\u00a0', '\u2009', ' - ', ' / ', '']);
  const cut = between(random, 2, 4);
  const parts = [national.slice(0, cut), ...(national.slice(cut).match(/.{1,4}/g) ?? [])];
  const spelled = parts.join(separator);
  const bracketed = `(${parts[0]}) ${parts.slice(1).join(separator)}`;
  return pickOne(random, [
    `+${code}${national}`,
    `+${code} ${spelled}`,
    `+${code} (0) ${spelled}`,
    `+${code} (0)${spelled}`,
    `(+${code}) ${spelled}`,
    `+${code} ${bracketed}`,
    `00${code} ${spelled}`,
    `00${code}${national}`,
    `${code}${national}`,
    `0${spelled}`,
    `(0${parts[0]}) ${parts.slice(1).join(separator)}`,
    `tel:+${code}-${spelled}`,
    `+${code} ${spelled} ext. ${digitsOf(random, 4)}`,
  ]);
};

function cnpj(random: Random): string {
  const base = `${digitsOf(random, 8)}00${padded(between(random, 1, 30), 2)}`;
  const withCheck = (digits: string): string => {
    const total = [...digits].reverse().reduce((sum, digit, at) => sum + Number(digit) * ((at % 8) + 2), 0);
    return digits + (total % 11 < 2 ? 0 : 11 - (total % 11));
  };
  return withCheck(withCheck(base));
}

/** Sixteen digits: a region of Indonesia, the day of birth (plus 40 for women), a number. */
export const indonesianNik = (random: Random): string => {
  const day = between(random, 1, 28) + pickOne(random, [0, 40]);
  const region = pickOne(random, ['3171', '3273', '3528', '3529', '5103', '5171', '6171', '6271', '6471']);
  return `${region}${digitsOf(random, 2)}${padded(day, 2)}${padded(between(random, 1, 12), 2)}${digitsOf(random, 6)}`;
};

const taxIds = (random: Random): string => {
  const d = (count: number) => digitsOf(random, count);
  const company = cnpj(random);
  return pickOne(random, [
    () => `DE${d(9)}`,
    () => `DE ${d(3)} ${d(3)} ${d(3)}`,
    () => `${d(2)}/${d(3)}/${d(5)}`,
    () => `ATU${d(8)}`,
    () => `BE 0${d(3)}.${d(3)}.${d(3)}`,
    () => `NL${d(9)}B${d(2)}`,
    () => `FR ${d(2)} ${d(3)} ${d(3)} ${d(3)}`,
    () => `${d(3)} ${d(3)} ${d(3)} ${d(5)}`, // SIRET
    () => `IT${d(11)}`,
    () => `ES${lettersOf(random, 1, 'ABX')}${d(8)}`,
    () => `PL ${d(3)}-${d(3)}-${d(2)}-${d(2)}`,
    () => `SE${d(10)}01`,
    () => `GB ${d(3)} ${d(4)} ${d(2)} ${d(3)}`,
    () => `GB${d(12)}`,
    () => `CHE-${d(3)}.${d(3)}.${d(3)} MWST`,
    () => `LT${d(12)}`,
    () => `${d(2)}${lettersOf(random, 5, upper)}${d(4)}A1Z5`, // India
    () => `91${d(6)}${lettersOf(random, 2, upper)}${d(8)}`, // China
    () => `T${d(13)}`, // Japan
    () => `${d(12)}`, // Russia, persons
    () => `${d(2)}.${d(3)}.${d(3)}.${d(1)}-${d(3)}.000`, // Indonesia
    () => `${d(3)}-${d(3)}-${d(3)}-00${d(3)}`, // the Philippines
    () => `${d(8)}-0001`, // Nigeria
    () => `${d(10)}-001`, // Vietnam
    () => `100${d(12)}`, // the Emirates
    () => `3${d(9)}00003`, // Saudi Arabia
    () => company,
    () =>
      `${company.slice(0, 2)}.${company.slice(2, 5)}.${company.slice(5, 8)}/${company.slice(8, 12)}-${company.slice(12)}`,
    () => `${d(2)}-${d(7)}`, // USA
    () => `${d(11)}`, // Australia, Argentina
    () => `${d(2)} ${d(3)} ${d(3)} ${d(3)}`,
    () => `${d(4)}001`.padStart(13, d(6)), // Ecuador
  ])();
};

const articles = (random: Random): string => {
  const ean = articleNumber(
    pickOne(random, ['40', '50', '5018', '5020', '5038', '36', '30', '978', '471', '62', '35', '45']).padEnd(
      12,
      digitsOf(random, 12),
    ),
  );
  const gtin = articleNumber(`${between(random, 1, 8)}${digitsOf(random, 12)}`);
  return pickOne(random, [
    ean,
    grouped(ean, [1, 6, 6], ' '),
    grouped(ean, [3, 1, 2, 6, 1], '-'),
    articleNumber(digitsOf(random, 11)),
    gtin,
    `(01)${gtin}`,
    grouped(gtin, [1, 2, 5, 5, 1], ' '),
  ]);
};

const times = (random: Random): string => {
  const date = instant(random);
  const iso = date.toISOString();
  const micros = `${date.getTime()}${digitsOf(random, 3)}`;
  return pickOne(random, [
    String(Math.floor(date.getTime() / 1_000)),
    String(date.getTime()),
    micros,
    `${Math.floor(date.getTime() / 1_000)}.${digitsOf(random, 6)}`,
    iso,
    iso.replace('Z', `${digitsOf(random, 3)}+02:00`),
    iso.replaceAll(/[-:]/g, ''),
    iso.replace('T', ' ').replace('Z', ''),
    iso.replaceAll(/[^\d]/g, ''),
    `${iso.slice(0, 10)}-${iso.slice(11, 19).replaceAll(':', '.')}.${micros.slice(10)}`,
    iso.slice(0, 10).split('-').reverse().join('.'),
    `${iso.slice(0, 10).split('-').reverse().join('.')} ${iso.slice(11, 19).replaceAll(':', '.')}`,
    `${iso.slice(0, 10).split('-').reverse().join('/')} - ${iso.slice(0, 10).split('-').reverse().join('/')}`,
  ]);
};

/**
 * The codes of the organizations that allocate device numbers: 01 and 35 for most devices, 86 for China, 91 for India,
 * 99 and 98 for recent ones.
 */
const imeis = (random: Random): string => {
  const imei = luhnNumber(`${pickOne(random, ['01', '35', '35', '86', '91', '98', '99'])}${digitsOf(random, 12)}`);
  return pickOne(random, [
    imei,
    grouped(imei, [2, 6, 6, 1], '-'),
    grouped(imei, [2, 6, 6, 1], ' '),
    grouped(imei, [8, 6, 1], ' '),
    `IMEI:${imei}`,
  ]);
};

/**
 * Order numbers as shops write them, all with digits that pass the Luhn check: a day and a number, a time and a number,
 * letters before or between, Amazon's 3-7-7. Random numbers with a card brand's length and first digits are excluded,
 * because they cannot be distinguished from card numbers.
 */
const orders = (random: Random): string => {
  const day = instant(random).toISOString().slice(0, 10);
  const compact = day.replaceAll('-', '');
  const second = instant(random).toISOString().slice(11, 19).replaceAll(':', '');
  const serial = padded(between(random, 1, 99_999), 5);
  const spelled = pickOne(random, [
    () => `${compact}-${serial}X`,
    () => `${compact}${serial}X`,
    () => `${day}-${serial}X`,
    () => `${compact}${second}${serial.slice(1)}X`,
    () => `${compact.slice(2)}${second}${serial.slice(2)}X`,
    () => `${compact.slice(2)}-${second}-${serial}X`,
    () => `${compact.slice(2)}-${serial}X`,
    () => `ORD-${compact}-${serial}X`,
    () => `ORD${compact.slice(2)}${serial}X`,
    () => `#${serial}X`,
    () =>
      `${pickOne(random, [111, 112, 113, 114, 202, 203, 204, 302, 303, 304, 305, 402, 403, 503])}-${digitsOf(random, 7)}-${digitsOf(random, 6)}X`,
    () => `A${digitsOf(random, 4)}B${digitsOf(random, 4)}C${digitsOf(random, 4)}D${digitsOf(random, 3)}X`,
    () => `R${digitsOf(random, 8)}X`,
    () => `${digitsOf(random, 3)}/${day.slice(0, 4)}/${serial}X`,
    () => `PO-${day.slice(0, 4)}-${digitsOf(random, 5)}X`,
    () => `${digitsOf(random, 9)}X`,
  ])();
  const check = luhnNumber(spelled.replaceAll(/\D/g, '')).at(-1) ?? '0';
  return spelled.replace('X', check);
};

/** Numbers that are as long as a card number but are not one, by kind. */
export const corpora = { ids, phones, taxIds, articles, times, imeis, orders } as const;
