import type { DomainError } from '../domain/errors.ts';
import type { TextField } from '../pages/fields.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import type { DashboardForm } from './form.ts';
import { type FaultTexts, faultsOf } from './form-faults.ts';
import { type Choice, type FormFault, messageAt } from './parts.ts';

/** The texts of a form by field name. A ticked box is `true`, and an empty text is a box that is not ticked. */
export type Typed = Readonly<Record<string, string>>;

/** A filled-in form, and the language in which it was typed. */
export interface Filled {
  typed: Typed;
  locale: Locale;
}

/** The result of reading a text: its value in the API's JSON. `undefined` is not sent. */
export interface Reading {
  value: unknown;
  /** Why the text cannot be read. */
  fault?: string;
}

/**
 * One field of a form. It says where its value is in the API's JSON, how its text is written and read, and how the
 * field is drawn.
 */
export interface Entry {
  /** The name of the field in the form. */
  name: string;
  /** The path of its value in the JSON, such as `price.currency`. */
  path: string;
  /** Whether the form has the field. It depends on earlier fields. */
  applies: (typed: Typed) => boolean;
  typedIn: (form: DashboardForm, name: string) => string;
  show: (value: unknown, filled: Filled) => string;
  read: (text: string, filled: Filled) => Reading;
  /** The message if the API refuses the value. By default, it is the text of the broken rule. */
  refused?: ((filled: Filled, json: Json) => string) | undefined;
  draw: (drawn: Drawn) => Html;
}

export type Entries = Readonly<Record<string, Entry>>;

export interface Drawn extends Filled {
  id: string;
  name: string;
  value: string;
  fault: string | undefined;
  /** Data for the field that only the page has, such as the options of a list. */
  more: More;
}

export interface More extends Partial<TextField> {
  options?: readonly Choice[];
}

export type Json = Readonly<Record<string, unknown>>;

/** The steps of a path: `components[0].name` → `components`, `0`, `name`. */
const stepsOf = (path: string): string[] => path.split(/\]?\.|\[/);

export const valueAt = (json: object, path: string): unknown =>
  stepsOf(path).reduce<unknown>((found, step) => (found as Json | null | undefined)?.[step], json);

function withValue(json: Json, [step = '', ...further]: readonly string[], value: unknown): Json {
  const [next] = further;
  const inner = next === undefined ? value : withValue((json[step] ?? emptyFor(next)) as Json, further, value);
  return Object.assign(Array.isArray(json) ? [...json] : { ...json }, { [step]: inner });
}

const emptyFor = (step: string): object => (/^\d+$/.test(step) ? [] : {});

/** The texts of a form, made from the API's JSON. The text of an entry can depend on earlier entries. */
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

/** Makes JSON from the texts of a form and from constant fields. Also returns the fields that could not be read. */
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

/**
 * The API's errors at the fields of the form, with the texts of the page. `others` are the fields of paths that have no
 * entry.
 */
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

/** The faults with unique field ids, for a page that has several forms with the same field names. */
export const faultsAt = (faults: readonly FormFault[], idOf: (name: string) => string): FormFault[] =>
  faults.map(({ field, message }) => ({ field: field && idOf(field), message }));

/** Draws one entry of a form. */
export type DrawEntry = (entry: Entry, more?: More) => Html;

/**
 * Returns a function that draws the entries of a form. `idOf` makes unique ids if a page has the form several times.
 */
export const drawing =
  (
    { faults, ...filled }: Filled & { faults: readonly FormFault[] },
    idOf = (name: string): string => name,
  ): DrawEntry =>
  ({ name, draw }, more = {}) => {
    const id = idOf(name);
    return draw({ ...filled, id, name, value: filled.typed[name] ?? '', fault: messageAt(faults, id), more });
  };

/** Shortens `products[2]` to `products`. The form has one field for all items. */
const withoutIndex = (path: string): string => path.replace(/\[.*/, '');

/** A field whose value is sent unchanged. */
export const hiddenField = ({ name, value }: Pick<Drawn, 'name' | 'value'>): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
