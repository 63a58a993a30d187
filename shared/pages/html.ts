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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escapeText = (text: string): string => text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

/** The one way to markup: whatever comes from outside is escaped, and addresses that could run something are left empty. */
export function html(literals: TemplateStringsArray, ...slots: Slot[]): Html {
  const parts = literals.map((literal, index) =>
    index < slots.length ? literal + fill(literal, slots[index]) : literal,
  );
  return new Markup(parts.join(''));
}

function fill(literal: string, slot: Slot): string {
  if (/=\s*$/.test(literal)) throw new TypeError(`A value needs quotes: ${literal.slice(-30)}`);
  if (/\s(?:href|src|action|formaction)\s*=\s*"$/.test(literal)) return escapeText(plainAddress(slot));
  return render(slot);
}

function render(slot: Slot): string {
  if (slot === undefined || slot === null || slot === false) return '';
  if (slot instanceof Markup) return slot.text;
  if (typeof slot === 'object') return slot.map(render).join('');
  return escapeText(String(slot));
}

const isPlain = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/]|mailto:|\/(?![/\\])|[#?])/i;

/** Only where following it leads to a page or a mail, never to a script. */
function plainAddress(slot: Slot): string {
  const address = typeof slot === 'string' ? slot : '';
  return isPlain.test(address) ? address : '';
}
