import { isCurrency } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import { amountText, exampleAmount, parseAmount } from '../pages/amount-input.ts';
import { type TextField, textField } from '../pages/fields.ts';
import { formatMoney } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardTexts } from '../texts/texts.ts';
import type { Drawn, Entry, Filled, Json, More } from './entries.ts';
import { type Choice, checkBox, choices, dateBox, selectBox, textArea } from './parts.ts';
import { type InLanguages, type Texts, textsOf, type Values } from './texts.ts';

interface Words<Key extends string> {
  label: Key;
  /** The text key of the hint. By default, it is `label.hint`, if that exists. */
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
  /** The name of the field in the middle of a sentence, such as `the minimum price`. */
  called?: Key;
  isRequired?: boolean;
}

interface OptionTerms<Key extends string> {
  /** The options. A page can replace them by its own. */
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

/** Makes the functions that create entries of each kind, with the texts of some pages. */
export const kindsOf = <Key extends string>(texts: InLanguages<Key>) => ({
  ...writtenKinds(entriesIn(texts)),
  ...chosenKinds(texts, entriesIn(texts)),
  ...amountKinds(texts, entriesIn(texts)),
  ...specialKinds(texts, entriesIn(texts)),
});

/** Creates entries of each kind. Their texts come from the given section. */
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

/** Sends a text unchanged. An empty text becomes null, unless a value is required. */
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
  /** A field to choose one of a few values. Each has an explanation. */
  choice: (name: string, path: string, words: Words<Key> & { options: (t: Texts<Key>) => readonly Choice[] }): Entry =>
    make(name, path, words, {
      show: asText,
      read: (text) => ({ value: text }),
      draw: (spec) => choices({ ...spec, options: spec.options ?? words.options(textsOf(texts, spec)) }),
    }),
  /** A field to choose one of many values. */
  select: (name: string, path: string, words: Words<Key> & OptionTerms<Key>): Entry =>
    make(name, path, words, {
      ...asWritten(words),
      draw: (spec) => selectBox({ ...spec, options: spec.options ?? words.options?.(textsOf(texts, spec)) ?? [] }),
    }),
});

const specialKinds = <Key extends string>(texts: InLanguages<Key>, make: Make<Key>) => ({
  /** A field to choose several values. The page draws the boxes. */
  list: (name: string, path: string, words: Words<Key>): Entry =>
    make(name, path, words, {
      typedIn: (form, field) => form.all(field).join(' '),
      show: (value) => (value as readonly string[]).join(' '),
      read: (text) => ({ value: text.split(' ').filter((one) => one !== '') }),
      draw: () => html``,
    }),
  date: (name: string, path: string, words: Words<Key> & { isRequired?: boolean }): Entry =>
    make(name, path, words, { ...asWritten(words), draw: (spec) => dateBox({ ...spec, type: 'date' }) }),
  /** A field for a time in UTC, without seconds. */
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
   * A field for an amount, in the currency of the earlier field `currency`. An empty text means that there is no
   * amount, unless one is required.
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
