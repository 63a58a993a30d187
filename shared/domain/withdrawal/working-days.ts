import { dayMs } from '../duration.ts';

/** The date some days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/**
 * The same day one year later. If that month has no such day, it is the last day of the month (Regulation 1182/71, art.
 * 3(2)(c)).
 */
export const yearAfter = (day: string): string =>
  `${Number(day.slice(0, 4)) + 1}${day.endsWith('-02-29') ? '-02-28' : day.slice(4)}`;

/** Fixed holidays of most countries in the area. They are applied to all countries, which only makes periods longer. */
const common = ['01-01', '05-01', '12-25', '12-26'];

/** The other fixed national holidays of each country. Regional holidays are not included. */
const national: Readonly<Record<string, string>> = {
  AT: '01-06 08-15 10-26 11-01 12-08',
  BE: '07-21 08-15 11-01 11-11',
  BG: '03-03 05-06 05-24 09-06 09-22 12-24',
  CY: '01-06 03-25 04-01 08-15 10-01 10-28',
  CZ: '05-08 07-05 07-06 09-28 10-28 11-17 12-24',
  DE: '10-03',
  EE: '02-24 06-23 06-24 08-20 12-24',
  ES: '01-06 08-15 10-12 11-01 12-06 12-08',
  FI: '01-06 12-06 12-24',
  FR: '05-08 07-14 08-15 11-01 11-11',
  GR: '01-06 03-25 08-15 10-28',
  HR: '01-06 05-30 06-22 08-05 08-15 11-01 11-18',
  HU: '03-15 08-20 10-23 11-01 12-24',
  IE: '03-17',
  IS: '06-17',
  IT: '01-06 04-25 06-02 08-15 10-04 11-01 12-08',
  LI: '01-06 02-02 03-19 08-15 09-08 11-01 12-08',
  LT: '02-16 03-11 06-24 07-06 08-15 11-01 11-02 12-24',
  LU: '05-09 06-23 08-15 11-01',
  LV: '05-04 06-23 06-24 11-18 12-24 12-31',
  MT: '02-10 03-19 03-31 06-07 06-29 08-15 09-08 09-21 12-08 12-13',
  NL: '04-27',
  NO: '05-17',
  PL: '01-06 05-03 08-15 11-01 11-11 12-24',
  PT: '04-25 06-10 08-15 10-05 11-01 12-01 12-08',
  RO: '01-02 01-06 01-07 01-24 06-01 08-15 11-30 12-01',
  SE: '01-06 06-06',
  SI: '01-02 02-08 04-27 05-02 06-25 08-15 10-31 11-01',
  SK: '01-06 05-08 07-05 08-29 09-15 11-01 12-24',
};

/**
 * Green Monday, Maundy Thursday, Good Friday, Easter Monday, Ascension, Whit Monday and Corpus Christi, as days from
 * Easter Sunday. They are applied to all countries too.
 */
const movable = [-48, -3, -2, 1, 39, 50, 60];

/** The months whose first or last Monday is a holiday. */
const mondays: Readonly<Record<string, { first: string; last: string }>> = {
  IE: { first: '02 05 06 08', last: '10' },
  IS: { first: '08', last: '' },
};

/** The countries whose holidays follow the Easter of the Orthodox churches. */
const orthodox: ReadonlySet<string> = new Set(['BG', 'CY', 'GR', 'RO']);

/**
 * Easter Sunday of the Western churches (algorithm of Meeus, Jones and Butcher) or of the Orthodox churches (Meeus).
 */
const easterOf = (year: number, isOrthodox: boolean): string =>
  isOrthodox ? orthodoxEaster(year) : westernEaster(year);

function westernEaster(year: number): string {
  const [golden, century, yearOfCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const moon = (19 * golden + skipped + 15) % 30;
  const shift = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * moon + 22 * shift) / 451);
  return dayAfter(`${year}-03-22`, moon + shift - 7 * correction);
}

/** How many days the Julian calendar is behind the Gregorian one, until 2099. */
const julianLag = 13;

function orthodoxEaster(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30;
  const shift = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  return dayAfter(`${year}-03-22`, moon + shift + julianLag);
}

function isMondayHoliday(country: string, day: string): boolean {
  const { first = '', last = '' } = mondays[country] ?? {};
  if (new Date(day).getUTCDay() !== 1) return false;
  const [month, date] = [day.slice(5, 7), Number(day.slice(8))];
  return (date <= 7 && first.split(' ').includes(month)) || (date > 24 && last.split(' ').includes(month));
}

function isHoliday(country: string, day: string): boolean {
  const date = day.slice(5);
  if (common.includes(date) || national[country]?.split(' ').includes(date)) return true;
  if (isMondayHoliday(country, day)) return true;
  const easter = easterOf(Number(day.slice(0, 4)), orthodox.has(country));
  return movable.some((distance) => dayAfter(easter, distance) === day);
}

function isWorkingDay(country: string, day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isHoliday(country, day);
}

/** The day itself if it is a working day in the country, or the next working day (Regulation 1182/71, art. 3(4)). */
export const workingDayFrom = (country: string, day: string): string =>
  isWorkingDay(country, day) ? day : workingDayFrom(country, dayAfter(day, 1));
