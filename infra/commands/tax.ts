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
import type { CommandOutcome, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Terminal, terminal } from './kit/terminal.ts';

interface Question {
  place: { country: string; region: string | undefined; postalCode: string | undefined };
  category: TaxCategory;
  date: string;
  settings: TaxSettings;
}

function questionFrom(typed: TypedWords): Question {
  const [code = '', category = '', date] = typed.words;
  const place = { ...placeFrom(code), postalCode: typed.text('postal-code') };
  const found = taxCategories.find((known) => known === category);
  if (!found) throw new UsageError(`The category must be one of ${taxCategories.join(', ')}, not ${category}.`);
  const settings = settingsOf(placeFrom(typed.text('merchant') ?? ''));
  return { place, category: found, date: dateFrom(date ?? localDate(place, new Date())), settings };
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

/** Prints the tax of a sale by the rate table, and the reason. */
function answer(question: Question): CommandOutcome {
  const place = resolvePlace(question.place);
  const treatment = taxTreatment(question);
  const lines = [
    `${placeCode(place.country, place.region)} ${question.category} on ${question.date}`,
    '',
    ...treatment.components.map(componentLine),
    '',
    ...treatment.rowIds.flatMap((id) => findRowById(id) ?? []).flatMap((row) => rowLines(row, place, question)),
    ...warningLines(treatment),
    ...businessLines(place, treatment),
    line('table', `${tableVersion}, checked on ${checkedOn}`),
  ];
  return { text: lines.join('\n'), json: { ...treatment, place, table: tableVersion, checked_on: checkedOn } };
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

/** The key by which the row was found in the rate table. The search goes from exact to general keys. */
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

/** How sales to businesses are taxed in the place, for each of its taxes. */
const businessLines = (place: ResolvedPlace, { components }: AppliedTreatment): string[] =>
  components.map(({ name }) => {
    const { mode, confidence, note } = businessRuleOf(jurisdictionOf(name, place));
    return line('businesses', `${mode} for ${name} (${confidence})${note ? `: ${note}` : ''}`);
  });

const percentOf = (decimal: string): number => Number(toMillionths(decimal)) / 10_000;

const line = (label: string, text: string): string => `${label.padEnd(18)}${text}`;

/** Answers a typed question. A place that does not exist is a mistake on the command line. */
function answerTo(typed: TypedWords): CommandOutcome {
  try {
    return answer(questionFrom(typed));
  } catch (problem) {
    throw problem instanceof DomainError ? new UsageError(problem.message) : problem;
  }
}

const taxProgram: Program<undefined, Surroundings> = programOf({
  name: 'tillstack-tax',
  file: import.meta.filename,
  invocation: 'npm run tax --',
  about: 'Shows which tax applies to a sale.',
  notes: '',
  options: {},
  open: () => undefined,
  commands: [
    {
      name: '',
      summary: 'Shows which tax applies to a sale, and the sources of its rate.',
      takes: ['<place>', '<category>', '[date]'],
      options: {
        'postal-code': {
          value: '<code>',
          help: 'finds special territories: ES --postal-code 35001 is in the Canary Islands',
        },
        merchant: { value: '<place>', help: 'the place of the seller: with IN-KA, a sale to IN-KA is intra-state' },
      },
      details: `place     a country, with a region where taxes are regional: DE, CA-QC, US-TX, IN-KA, ES
category  ${taxCategories.join(', ')}
date      a date in the place's time zone, such as 2026-03-01; default: today`,
      examples: ['DE e_book 2026-03-01', 'ES e_book --postal-code 35001'],
      run: async (typed) => answerTo(typed),
    },
  ],
});

/** Runs `npm run tax -- …` and returns its exit code. It is 2 for an invalid question. */
export const runTax = (args: readonly string[], to: Terminal): Promise<number> =>
  runProgram(taxProgram, args, { terminal: to });

if (import.meta.main) process.exitCode = await runTax(process.argv.slice(2), terminal);
