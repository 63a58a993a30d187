import { parseArgs } from 'node:util';
import { type TaxCategory, type TaxComponent, taxCategories } from '../../shared/domain/checkout/tax.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { toMillionths } from '../../shared/domain/money/rounding.ts';
import { businessRuleOf } from '../../shared/tax/business-buyers.ts';
import { jurisdictionOf } from '../../shared/tax/places/jurisdiction.ts';
import { localDate } from '../../shared/tax/places/local-date.ts';
import { placeCode, type ResolvedPlace, resolvePlace } from '../../shared/tax/places/resolve-place.ts';
import { findRowById, rateSteps } from '../../shared/tax/rates/rate-lookup.ts';
import type { RateRow } from '../../shared/tax/rates/rate-row.ts';
import { checkedOn } from '../../shared/tax/rates/rate-table.ts';
import { sources } from '../../shared/tax/rates/sources.ts';
import { tableVersion } from '../../shared/tax/rates/table-version.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { type AppliedTreatment, taxTreatment } from '../../shared/tax/treatment.ts';
import { UsageError } from '../usage-error.ts';
import { type Terminal, terminal } from './kit/terminal.ts';

const usage = `Usage: npm run tax -- <place> <category> [date] [--postal-code <code>] [--merchant <place>]

  place          a country, with a region where taxes are regional: DE, CA-QC, US-TX, IN-KA, ES
  category       ${taxCategories.join(', ')}
  date           a date in the place's time zone, such as 2026-03-01; default: today
  --postal-code  finds special territories: ES --postal-code 35001 is in the Canary Islands
  --merchant     the place of the seller: with IN-KA, a sale to IN-KA is intra-state`;

interface Question {
  place: { country: string; region: string | undefined; postalCode: string | undefined };
  category: TaxCategory;
  date: string;
  settings: TaxSettings;
}

function questionFrom(args: string[]): Question {
  const options = { 'postal-code': { type: 'string' }, merchant: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [code, category = '', date, ...rest] = positionals;
  if (!code || rest.length > 0) throw new UsageError('A place and a category are required.');
  const place = { ...placeFrom(code), postalCode: values['postal-code'] };
  const isCategory = taxCategories.some((known) => known === category);
  if (!isCategory)
    throw new UsageError(`The category must be one of ${taxCategories.join(', ')}, not ${category || 'empty'}.`);
  const settings = settingsOf(placeFrom(values.merchant ?? ''));
  return { place, category: category as TaxCategory, date: dateFrom(date ?? localDate(place, new Date())), settings };
}

function placeFrom(code: string): { country: string; region: string | undefined } {
  const [country = '', ...region] = code.toUpperCase().split('-');
  return { country, region: region.join('-') || undefined };
}

function dateFrom(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    throw new UsageError(`${text} is not a date such as 2026-03-01.`);
  return text;
}

const settingsOf = ({ country, region }: { country: string; region: string | undefined }): TaxSettings => ({
  merchantCountry: country,
  merchantRegion: region,
  registrations: [],
  overrides: [],
  collectPolicy: 'everywhere',
  onUnsupported: 'zero',
  onUnverifiedTaxId: 'charge',
});

/** What the rate table says about a sale, and why. */
function answer(question: Question): string {
  const place = resolvePlace(question.place);
  const treatment = taxTreatment(question);
  return [
    `${placeCode(place.country, place.region)} ${question.category} on ${question.date}`,
    '',
    ...treatment.components.map(componentLine),
    '',
    ...treatment.rowIds.flatMap((id) => findRowById(id) ?? []).flatMap((row) => rowLines(row, place, question)),
    ...warningLines(treatment),
    ...businessLines(place, treatment),
    line('table', `${tableVersion}, checked on ${checkedOn}`),
  ].join('\n');
}

function componentLine({ name, jurisdiction, rate, baseFraction, reason }: TaxComponent): string {
  const percent = rate === null ? 'no rate' : `${percentOf(rate)} %`;
  const base = baseFraction === '1' ? '' : ` of ${percentOf(baseFraction)} % of the price`;
  return line(name, `${percent}${base}, ${jurisdiction}${reason ? `: ${reason}` : ''}`);
}

const rowLines = (row: RateRow, place: ResolvedPlace, { category }: Question): string[] => [
  line('row', `${row.id} (${row.taxability})`),
  line('found as', stepOf(row, { ...place, category })),
  line(
    'holds',
    `${row.effectiveFrom ? `from ${row.effectiveFrom}` : 'always'}${row.effectiveTo ? ` until ${row.effectiveTo}` : ''}`,
  ),
  line('confidence', row.confidence),
  ...row.sources.map((key, index) => line(index === 0 ? 'sources' : '', sources[key] ?? key)),
  ...(row.note ? [line('note', row.note)] : []),
];

/** Which of the fallback steps gave the row. */
function stepOf(row: RateRow, key: ResolvedPlace & { category: TaxCategory }): string {
  const steps = rateSteps(key);
  const at = steps.findIndex((step) => keyText(step) === keyText(row));
  return at < 0 ? `${keyText(row)}, by a rule of the place` : `${keyText(row)}, step ${at + 1} of ${steps.length}`;
}

const keyText = ({
  country,
  region,
  category,
}: Pick<RateRow, 'country' | 'category'> & { region?: string | undefined }) =>
  `${placeCode(country, region)} ${category}`;

function warningLines({ rowIds, warnings }: AppliedTreatment): string[] {
  const missing = rowIds.length === 0 ? [line('row', 'none: the table has no rate for this sale')] : [];
  return [...missing, line('warnings', warnings.join(', ') || 'none')];
}

/** How businesses of the place are taxed, for each of its taxes. */
const businessLines = (place: ResolvedPlace, { components }: AppliedTreatment): string[] =>
  components.map(({ name }) => {
    const { mode, confidence, note } = businessRuleOf(jurisdictionOf(name, place));
    return line('businesses', `${mode} for ${name} (${confidence})${note ? `: ${note}` : ''}`);
  });

const percentOf = (decimal: string): number => Number(toMillionths(decimal)) / 10_000;

const line = (label: string, text: string): string => `${label.padEnd(18)}${text}`;

function isUsageFault(problem: unknown): problem is Error {
  if (problem instanceof UsageError || problem instanceof DomainError) return true;
  return problem instanceof Error && 'code' in problem && String(problem.code).startsWith('ERR_PARSE_ARGS');
}

/** Runs `npm run tax -- …` and returns its exit code: 2 for an invalid question. */
export function runTax(args: string[], to: Terminal): 0 | 2 {
  try {
    to.out(`${answer(questionFrom(args))}\n`);
    return 0;
  } catch (problem) {
    if (!isUsageFault(problem)) throw problem;
    to.error(`${problem.message}\n\n${usage}\n`);
    return 2;
  }
}

if (import.meta.main) process.exitCode = runTax(process.argv.slice(2), terminal);
