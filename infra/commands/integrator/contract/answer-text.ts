import type { Shape } from '../../../reference/contract.ts';
import { factsText, plainText, tableText } from '../../kit/table-text.ts';
import { moneyText } from '../money.ts';
import { isAmount, plainShape } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

/** A value of an answer, its schema in the contract, and the currency of its amounts. */
interface Shown {
  value: unknown;
  schema: Shape;
  currency: string | undefined;
}

/** How many columns a table has by default. */
const mostColumns = 8;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const currencyIn = (value: unknown, outer: string | undefined): string | undefined =>
  isObject(value) && typeof value['currency'] === 'string' ? value['currency'] : outer;

/** The part of a value at a dotted name, such as `price.currency`. */
function shownAt(shown: Shown, name: string): Shown {
  return name.split('.').reduce<Shown>(({ value, schema, currency }, part) => {
    const inner = isObject(value) ? value[part] : undefined;
    const found = plainShape(plainShape(schema).properties?.[part] ?? {});
    return { value: inner, schema: found, currency: currencyIn(value, currency) };
  }, shown);
}

function cellText({ value, schema, currency }: Shown): string {
  if (value === null || value === undefined) return '';
  if (currency !== undefined && typeof value === 'number' && isAmount(schema)) return moneyText(value, currency);
  if (!Array.isArray(value)) return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value));
  const items = plainShape(schema.items ?? {});
  return value.map((one) => cellText({ value: one, schema: items, currency })).join(', ');
}

const isFigure = ({ type }: Shape): boolean => type === 'integer' || type === 'number';

/** The fields that a table shows by default: texts, numbers, and yes or no. */
const usualColumns = (item: Shape, hides: readonly string[]): string[] =>
  Object.entries(plainShape(item).properties ?? {})
    .filter(([, schema]) => ['string', 'integer', 'number', 'boolean'].includes(String(plainShape(schema).type)))
    .map(([name]) => name)
    .filter((name) => !hides.includes(name))
    .slice(0, mostColumns);

interface TableOptions {
  columns?: readonly string[] | undefined;
  /** The fields that have no column. */
  hides?: readonly string[] | undefined;
  currency?: string | undefined;
}

/** Prints items as rows. Numbers are aligned to the right. */
export function itemsText(items: readonly unknown[], item: Shape, options: TableOptions = {}): string {
  if (items.length === 0) return 'Nothing was found.';
  const { hides = [], columns = usualColumns(item, hides), currency } = options;
  const cells = (value: unknown) => columns.map((name) => cellText(shownAt({ value, schema: item, currency }, name)));
  const figures = columns.flatMap((name, at) =>
    isFigure(shownAt({ value: undefined, schema: item, currency }, name).schema) ? [at] : [],
  );
  return tableText(columns, items.map(cells), figures);
}

type Fact = readonly [name: string, value: string];

/** The parts of a printed answer: first its facts in rows, then its lists as tables, then JSON without a schema. */
interface Parts {
  facts: Fact[];
  blocks: string[];
}

/**
 * The parts for one field of an answer. It becomes a fact, a table or nested facts. If the contract has no schema for
 * it, it becomes JSON.
 */
function partOf(shown: Shown, label: string): Parts {
  const { value, schema, currency } = shown;
  if (value === null) return { facts: [], blocks: [] };
  if (Array.isArray(value) && value.some(isObject))
    return { facts: [], blocks: [`${label}\n${itemsText(value, schema.items ?? {}, { currency })}`] };
  if (isObject(value) && schema.properties) return partsOf(shown, `${label}.`);
  if (isObject(value) && Object.values(value).some(isObject))
    return { facts: [], blocks: [`${label}\n${JSON.stringify(value, null, 2)}`] };
  return { facts: [[label, cellText(shown)]], blocks: [] };
}

function partsOf(shown: Shown, above = ''): Parts {
  const parts = Object.keys(shown.value as Json).map((name) => partOf(shownAt(shown, name), above + name));
  return { facts: parts.flatMap(({ facts }) => facts), blocks: parts.flatMap(({ blocks }) => blocks) };
}

/** Prints an answer for people. Amounts have their currency, and fields that are null are left out. */
export function answerText(value: unknown, schema: Shape): string {
  if (Array.isArray(value)) {
    return value.some(isObject) ? itemsText(value, plainShape(schema).items ?? {}) : value.join('\n');
  }
  if (!isObject(value)) return String(value ?? '');
  const { facts, blocks } = partsOf({ value, schema: plainShape(schema), currency: undefined });
  return [...(facts.length > 0 ? [factsText(facts)] : []), ...blocks].join('\n\n') || 'Done.';
}
