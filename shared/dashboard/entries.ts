import type { DomainError } from '../domain/errors.ts';
import { isCurrency } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import { amountText, exampleAmount, parseAmount } from '../pages/amount-input.ts';
import { type TextField, textField } from '../pages/fields.ts';
import { formatMoney } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardTexts } from '../texts/texts.ts';
import type { DashboardForm } from './form.ts';
import { type FaultTexts, faultsOf } from './form-faults.ts';
import { type Choice, checkBox, choices, dateBox, type FormFault, messageAt, selectBox, textArea } from './parts.ts';
import { type InLanguages, type Texts, textsOf, type Values } from './texts.ts';

/** The values of a form by field name. A checked box is `true`, and an unchecked one is empty. */
export type Typed = Readonly<Record<string, string>>;

/** A filled-in form, and the language in which it was typed. */
export interface Filled {
  typed: Typed;
  locale: Locale;
}

/** The value of a text in the API's JSON. `undefined` is not sent. */
export interface Reading {
  value: unknown;
  /** Why the text cannot be read. */
  fault?: string;
}

/** One field of a form: its path in the API's JSON, how its text is written and read, and how it is drawn. */
export interface Entry {
  /** The name of the field in the form. */
  name: string;
  /** The path of its value in the JSON: `price.currency`. */
  path: string;
  /** Whether the form has the field. It depends on earlier fields. */
  applies: (typed: Typed) => boolean;
  typedIn: (form: DashboardForm, name: string) => string;
  show: (value: unknown, filled: Filled) => string;
  read: (text: string, filled: Filled) => Reading;
  /** The message if the API refuses the value. Default: the text for the broken rule. */
  refused?: ((filled: Filled, json: Json) => string) | undefined;
  draw: (drawn: Drawn) => Html;
}

export type Entries = Readonly<Record<string, Entry>>;

interface Drawn extends Filled {
  id: string;
  name: string;
  value: string;
  fault: string | undefined;
  /** Data that only the page has, such as the options of a list. */
  more: More;
}

interface More extends Partial<TextField> {
  options?: readonly Choice[];
}

export type Json = Readonly<Record<string, unknown>>;

/** `components[0].name` → `components`, `0`, `name` */
const stepsOf = (path: string): string[] => path.split(/\]?\.|\[/);

export const valueAt = (json: object, path: string): unknown =>
  stepsOf(path).reduce<unknown>((found, step) => (found as Json | null | undefined)?.[step], json);

function withValue(json: Json, [step = '', ...further]: readonly string[], value: unknown): Json {
  const [next] = further;
  const inner = next === undefined ? value : withValue((json[step] ?? emptyFor(next)) as Json, further, value);
  return Object.assign(Array.isArray(json) ? [...json] : { ...json }, { [step]: inner });
}

const emptyFor = (step: string): object => (/^\d+$/.test(step) ? [] : {});

/** The texts of a form, made from the API's JSON. An entry can depend on earlier ones. */
export function shownTexts(entries: Entries, json: object, locale: Locale): Typed {
  const typed: Record<string, string> = {};
  for (const { name, path, applies, show } of Object.values(entries)) {
    const value = valueAt(json, path) ?? null;
    typed[name] = value !== null && applies(typed) ? show(value, { typed, locale }) : '';
  }
  return typed;
}

/** The texts of a posted form. */
export const typedTexts = (entries: Entries, form: DashboardForm): Typed =>
  Object.fromEntries(Object.values(entries).map(({ name, typedIn }) => [name, typedIn(form, name)]));

/** Makes JSON from a form's values and from constant fields. Also returns the fields that cannot be read. */
export function jsonOf(entries: Entries, filled: Filled, always: Json = {}): { json: Json; faults: FormFault[] } {
  const faults: FormFault[] = [];
  const json = applied(entries, filled.typed).reduce((sent, { name, path, read }) => {
    const { value, fault } = read(filled.typed[name] ?? '', filled);
    if (fault !== undefined) faults.push({ field: name, message: fault });
    return value === undefined ? sent : withValue(sent, stepsOf(path), value);
  }, always);
  return { json, faults };
}

const applied = (entries: Entries, typed: Typed): Entry[] =>
  Object.values(entries).filter(({ applies }) => applies(typed));

/** The API's errors, at the fields of the form, in the texts of its page. `others` are fields without an entry, by path. */
export function refusedEntries(
  entries: Entries,
  refusal: DomainError,
  { t, ...filled }: Filled & { t: FaultTexts },
  others: Readonly<Record<string, string>> = {},
): FormFault[] {
  const present = applied(entries, filled.typed);
  const names = Object.fromEntries(present.map(({ path, name }) => [path, name]));
  const all: Readonly<Record<string, string>> = { ...names, ...others };
  return faultsOf(refusal, t, all).map(({ field, message }) => {
    const name = all[withoutIndex(field)] ?? field;
    const refused = present.find((one) => one.name === name)?.refused;
    return { field: name, message: refused ? refused(filled, jsonOf(entries, filled).json) : message };
  });
}

/** The faults at the ids of their fields, on a page that has several forms with the same names. */
export const faultsAt = (faults: readonly FormFault[], idOf: (name: string) => string): FormFault[] =>
  faults.map(({ field, message }) => ({ field: field && idOf(field), message }));

/** Draws one entry of a form. */
export type DrawEntry = (entry: Entry, more?: More) => Html;

/** Draws the entries of a form. `idOf` makes unique ids if a page has the form several times. */
export const drawing =
  (
    { faults, ...filled }: Filled & { faults: readonly FormFault[] },
    idOf = (name: string): string => name,
  ): DrawEntry =>
  ({ name, draw }, more = {}) => {
    const id = idOf(name);
    return draw({ ...filled, id, name, value: filled.typed[name] ?? '', fault: messageAt(faults, id), more });
  };

/** Shortens `products[2]` to `products`, because the form has one field for all items. */
const withoutIndex = (path: string): string => path.replace(/\[.*/, '');

interface Words<Key extends string> {
  label: Key;
  /** The key of the hint. Default: `label.hint`, if it exists. */
  hint?: Key;
  /** Values for the `{placeholders}` of the hint. */
  values?: (t: Texts<Key>) => Values;
  applies?: Entry['applies'];
  /** The message if the API refuses the value. */
  refused?: Key | ((t: Texts<Key>, filled: Filled, json: Json) => string);
}

interface TextTerms extends Pick<TextField, 'isCode' | 'isRequired' | 'type'> {
  maxLength: number;
}

interface MoneyTerms<Key> {
  /** The name of the field inside a sentence: `the minimum price`. */
  called?: Key;
  isRequired?: boolean;
}

interface OptionTerms<Key extends string> {
  /** The options. A page can supply others. */
  options?: (t: Texts<Key>) => readonly Choice[];
  isRequired?: boolean;
}

type Kind = Pick<Entry, 'show' | 'read'> & Partial<Pick<Entry, 'typedIn'>> & { draw: (spec: Spec) => Html };

interface Spec extends Omit<Drawn, 'more'>, More {
  id: string;
  name: string;
  value: string;
  label: string;
  fault: string | undefined;
}

type Make<Key extends string> = (name: string, path: string, words: Words<Key>, kind: Kind) => Entry;

/** The kinds of entries, with the texts of some pages. */
export const kindsOf = <Key extends string>(texts: InLanguages<Key>) => ({
  ...writtenKinds(entriesIn(texts)),
  ...chosenKinds(texts, entriesIn(texts)),
  ...amountKinds(texts, entriesIn(texts)),
  ...specialKinds(texts, entriesIn(texts)),
});

/** Makes entries of every kind. Their texts come from the given section. */
const entriesIn =
  <Key extends string>(texts: InLanguages<Key>): Make<Key> =>
  (name, path, words, { draw, ...kind }) => {
    const { label, hint = `${label}.hint` as Key, values, applies = () => true, refused } = words;
    const inWords = (filled: Filled, json: Json) => {
      const t = textsOf(texts, filled);
      return typeof refused === 'string' ? t(refused) : (refused?.(t, filled, json) ?? '');
    };
    return {
      ...{ typedIn: (form, field) => form.text(field), ...kind, name, path, applies },
      refused: refused && inWords,
      draw: ({ more, ...drawn }) => {
        const t = textsOf(texts, drawn);
        const known = hint in texts.en ? { hint: t(hint, values?.(t)) } : {};
        return draw({ ...drawn, label: t(label), ...known, ...more });
      },
    };
  };

const asText = (value: unknown): string => String(value);

/** Sends a text unchanged. An empty one is null, unless a value is required. */
const asWritten = ({ isRequired }: { isRequired?: boolean }): Pick<Entry, 'show' | 'read'> => ({
  show: asText,
  read: (text) => ({ value: text || (isRequired ? '' : null) }),
});

function writtenKinds<Key extends string>(make: Make<Key>) {
  type Written = Words<Key> & TextTerms;
  const written = (name: string, path: string, words: Written, draw: Kind['draw']): Entry =>
    make(name, path, words, { ...asWritten(words), draw });
  return {
    text: (name: string, path: string, words: Written): Entry => {
      const { maxLength, isCode = false, isRequired = false, type = 'text' } = words;
      return written(name, path, words, (spec) => textField({ maxLength, isCode, isRequired, type, ...spec }));
    },
    textArea: (name: string, path: string, words: Written): Entry => {
      const { maxLength, isRequired = false } = words;
      return written(name, path, words, (spec) => textArea({ ...spec, maxLength, isRequired }));
    },
  };
}

const chosenKinds = <Key extends string>(texts: InLanguages<Key>, make: Make<Key>) => ({
  check: (name: string, path: string, words: Words<Key>): Entry =>
    make(name, path, words, {
      typedIn: (form, field) => (form.has(field) ? 'true' : ''),
      show: (value) => (value === true ? 'true' : ''),
      read: (text) => ({ value: text !== '' }),
      draw: (spec) => checkBox({ ...spec, isChecked: spec.value !== '' }),
    }),
  /** A choice of one from a few values, each with an explanation. */
  choice: (name: string, path: string, words: Words<Key> & { options: (t: Texts<Key>) => readonly Choice[] }): Entry =>
    make(name, path, words, {
      show: asText,
      read: (text) => ({ value: text }),
      draw: (spec) => choices({ ...spec, options: spec.options ?? words.options(textsOf(texts, spec)) }),
    }),
  /** A choice of one from many values. */
  select: (name: string, path: string, words: Words<Key> & OptionTerms<Key>): Entry =>
    make(name, path, words, {
      ...asWritten(words),
      draw: (spec) => selectBox({ ...spec, options: spec.options ?? words.options?.(textsOf(texts, spec)) ?? [] }),
    }),
});

const specialKinds = <Key extends string>(texts: InLanguages<Key>, make: Make<Key>) => ({
  /** A choice of several values. The page draws the boxes. */
  list: (name: string, path: string, words: Words<Key>): Entry =>
    make(name, path, words, {
      typedIn: (form, field) => form.all(field).join(' '),
      show: (value) => (value as readonly string[]).join(' '),
      read: (text) => ({ value: text.split(' ').filter((one) => one !== '') }),
      draw: () => html``,
    }),
  date: (name: string, path: string, words: Words<Key> & { isRequired?: boolean }): Entry =>
    make(name, path, words, { ...asWritten(words), draw: (spec) => dateBox({ ...spec, type: 'date' }) }),
  /** A time in UTC, without seconds. */
  instant: (name: string, path: string, words: Words<Key> & { unread: Key }): Entry =>
    make(name, path, words, {
      show: (value) => String(value).slice(0, 16),
      read: (text, filled) => {
        const value = readInstant(text);
        return text === '' || value !== null ? { value } : { value, fault: textsOf(texts, filled)(words.unread) };
      },
      draw: (spec) => dateBox({ ...spec, type: 'datetime-local' }),
    }),
});

function readInstant(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return null;
  const at = new Date(`${text}Z`);
  const instant = Number.isNaN(at.getTime()) ? '' : at.toISOString();
  return instant.startsWith(text) ? instant : null;
}

const amountKinds = <Key extends string>(texts: InLanguages<Key>, make: Make<Key>) => ({
  /**
   * An amount in the currency of an earlier field `currency`. An empty text means no amount, unless one is required.
   */
  money: (name: string, path: string, words: Words<Key> & MoneyTerms<Key>): Entry =>
    make(name, path, words, {
      show: (value, { typed, locale }) => amountText(value as number, typed['currency'] ?? '', locale),
      read: (text, filled) => {
        const { called, isRequired = false } = words;
        if (text === '' && !isRequired) return { value: null };
        const { typed, locale } = filled;
        return readAmount(text, {
          currency: typed['currency'] ?? '',
          locale,
          called: called && textsOf(texts, filled)(called),
        });
      },
      draw: (spec) => textField({ ...spec, maxLength: 80, isCode: true }),
    }),
});

/** Reads an amount as minor units, without floating point. Without a currency it cannot be read. */
export function readAmount(
  text: string,
  { currency, locale, called }: { currency: string; locale: Locale; called?: string | undefined },
): { value: number; fault?: string } {
  if (!isCurrency(currency)) return { value: 0 };
  const t = textsOf(dashboardTexts('faults'), { locale });
  const values = {
    field: called ?? t('amount'),
    currency,
    example: exampleAmount(currency, locale),
    most: formatMoney(maxAmount, currency, locale),
  };
  if (text === '') return { value: 0, fault: t('amount.missing', values) };
  const reading = parseAmount(text, currency, locale);
  return 'amount' in reading ? { value: reading.amount } : { value: 0, fault: t(`amount.${reading.fault}`, values) };
}

/** A field whose value is sent unchanged. */
export const hiddenField = ({ name, value }: Pick<Drawn, 'name' | 'value'>): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
