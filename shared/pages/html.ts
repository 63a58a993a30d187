import { raw, html as template } from 'hono/html';

/** Markup that `html` has made, and nothing else can make. */
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

/** What a template may hold: text is escaped, nothing is left out for `false`, `null` and `undefined`. */
export type Slot = Html | string | number | false | null | undefined | readonly Slot[];

/** The one way to markup: hono escapes whatever comes from outside, and addresses that could run something are left empty. */
export function html(literals: TemplateStringsArray, ...slots: Slot[]): Html {
  const filling = slots.map((slot, index) => fill(literals[index] ?? '', slot));
  return new Markup(String(template(literals, ...filling)));
}

function fill(literal: string, slot: Slot): unknown {
  if (/=\s*$/.test(literal)) throw new TypeError(`A value needs quotes: ${literal.slice(-30)}`);
  if (/\s(?:href|src|action|formaction|hx-get|hx-post)\s*=\s*"$/.test(literal)) return escaped(plainAddress(slot));
  return render(slot);
}

/** What hono takes for markup of its own: only ours is, whatever an object says of itself. */
function render(slot: Slot): unknown {
  if (slot instanceof Markup) return raw(slot.text);
  if (typeof slot === 'string') return escaped(slot);
  if (typeof slot !== 'object' || slot === null) return slot;
  return slot.map(render);
}

/** As hono escapes it; the backtick as well, which old browsers take for a quote. */
const escaped = (text: string): unknown =>
  text.includes('`') ? raw(String(template`${text}`).replaceAll('`', '&#96;')) : text;

const isPlain = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/]|mailto:|\/(?![/\\])|[#?])/i;

/** Only where following it leads to a page or a mail, never to a script. */
function plainAddress(slot: Slot): string {
  const address = typeof slot === 'string' ? slot : '';
  return isPlain.test(address) ? address : '';
}
