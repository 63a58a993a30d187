import { raw, html as template } from 'hono/html';
import { appSchemeOf } from '../domain/return-address.ts';

/** Safe HTML. Only `html` and `dataScript` create it. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Html = Markup;

/** A value in a template. Text is escaped; `false`, `null` and `undefined` are left out. */
export type Slot = Html | string | number | false | null | undefined | readonly Slot[];

/** The only way to make HTML from values. hono escapes all values, and addresses that could run code become empty. */
export function html(literals: TemplateStringsArray, ...slots: Slot[]): Html {
  const filling = slots.map((slot, index) => fill(literals[index] ?? '', slot));
  return new Markup(String(template(literals, ...filling)));
}

function fill(literal: string, slot: Slot): unknown {
  if (/=\s*$/.test(literal)) throw new TypeError(`A value needs quotes: ${literal.slice(-30)}`);
  if (/\s(?:href|src|action|formaction|hx-get|hx-post)\s*=\s*"$/.test(literal)) return escaped(plainAddress(slot));
  return render(slot);
}

/** Gives our own markup to hono without escaping. No other object can pretend to be markup. */
function render(slot: Slot): unknown {
  if (slot instanceof Markup) return raw(slot.text);
  if (typeof slot === 'string') return escaped(slot);
  if (typeof slot !== 'object' || slot === null) return slot;
  return slot.map(render);
}

/** Escapes like hono. It also escapes the backtick, which old browsers treat as a quote. */
const escaped = (text: string): unknown =>
  text.includes('`') ? raw(String(template`${text}`).replaceAll('`', '&#96;')) : text;

const isPlain = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/]|mailto:|\/(?![/\\])|[#?])/i;

/** The address, if it leads to a page, a mail or an app. Empty if it could run a script. */
function plainAddress(slot: Slot): string {
  const address = typeof slot === 'string' ? slot : '';
  return isPlain.test(address) || appSchemeOf(address) !== undefined ? address : '';
}

const unsafeInScript: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Data in a page for other programs, such as search engines. Browsers do not run it. No text in it can end the element.
 */
export function dataScript(type: 'application/ld+json', data: object): Html {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => unsafeInScript[character] ?? '');
  return new Markup(`<script type="${type}">${json}</script>`);
}
