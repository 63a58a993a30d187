import { DayRates } from '../../domain/money/exchange-rates.ts';

/** The publisher's name, as documents print it. */
export const publisher = 'European Central Bank';

/** Matches only a complete file. An incomplete one has no closing tag. */
const envelope =
  /^\s*<\?xml[^>]*\?>\s*<gesmes:Envelope\b[^>]*>\s*<gesmes:subject>Reference rates<\/gesmes:subject>\s*<gesmes:Sender>\s*<gesmes:name>European Central Bank<\/gesmes:name>\s*<\/gesmes:Sender>\s*<Cube>(?<days>[\s\S]*)<\/Cube>\s*<\/gesmes:Envelope>\s*$/;

const day =
  /\s*<Cube time=(['"])(?<date>[\d-]+)\1>(?<entries>(?:\s*<Cube currency=(['"])[A-Z]{3}\4 rate=(['"])[\d.]+\5\s*\/>)+)\s*<\/Cube>\s*/y;

const entry = /<Cube currency=['"](?<currency>[A-Z]{3})['"] rate=['"](?<rate>[\d.]+)['"]/g;

/** Thrown if the downloaded data is not the publisher's file. */
class NotRates extends Error {}

/**
 * The days of the publisher's file, newest first. Parsing is strict, because a wrong rate on a document cannot be
 * corrected.
 * @throws Error if the file differs from the published format
 */
export function parseRates(xml: string): DayRates[] {
  const days = envelope.exec(xml)?.groups?.['days']?.trim();
  if (days === undefined)
    throw new NotRates(`It is not a file of reference rates: ${JSON.stringify(xml.slice(0, 80))}`);
  const found: DayRates[] = [];
  for (let at = 0; at < days.length; at = day.lastIndex) {
    day.lastIndex = at;
    const groups = day.exec(days)?.groups;
    if (!groups) throw new NotRates(`It has something else than days with rates: ${days.slice(at, at + 80).trim()}`);
    found.push(dayOf(groups['date'] ?? '', groups['entries'] ?? ''));
  }
  if (found.length === 0) throw new NotRates('It has no day.');
  return found.sort((a, b) => (a.date < b.date ? 1 : -1));
}

function dayOf(date: string, entries: string): DayRates {
  const listed = [...entries.matchAll(entry)].map(({ groups }) => [groups?.['currency'], groups?.['rate']] as const);
  const perEuro = Object.fromEntries(listed);
  if (Object.keys(perEuro).length !== listed.length) throw new NotRates(`${date} has a currency twice.`);
  const parsed = DayRates.safeParse({ date, source: publisher, perEuro });
  if (!parsed.success) throw new NotRates(`${date} has something else than rates: ${parsed.error.message}`);
  return parsed.data;
}
