import type { ZeroReason } from '../domain/checkout/tax.ts';
import type { Document } from '../domain/documents/document.ts';
import { formatDate } from '../pages/format.ts';
import type { Locale } from '../pages/locale.ts';
import type { TranslateDocument } from '../texts/texts.ts';

/** The notes below the amounts. The law or the state of the sale requires them. */
export function documentNotes(
  document: Document,
  { isSandbox, locale }: { isSandbox: boolean; locale: Locale },
  t: TranslateDocument,
): string[] {
  const notes: (string | false)[] = [
    isInclusive(document) && t('note.inclusive'),
    has(document, 'reverse_charge') && reliefNote(document, t),
    ...exemptionReasons(document).map((reason) => t('note.exempt', { reason })),
    localTaxNote(document, locale, t),
    moneylessNote(document, t) ?? false,
    isSandbox && t('note.sandbox'),
  ];
  return notes.filter((note) => note !== false);
}

/** The note of a dispute's document that says why no money is returned; null for other documents. */
export function moneylessNote({ kind, adjustmentId, isChoice }: Document, t: TranslateDocument): string | null {
  if (adjustmentId === undefined) return null;
  if (kind === 'RSC') return t('note.rescinded');
  return t(isChoice ? 'note.withdrawn' : 'note.reinstated');
}

/** The published exchange rates for the tax in local currency: `EUR 1 = USD 1.0705 = GBP 0.84638`. */
function localTaxNote({ localTax }: Document, locale: Locale, t: TranslateDocument): string | false {
  if (!localTax) return false;
  const { currency, rates } = localTax;
  const parts = ['EUR 1', ...Object.entries(rates.perEuro).map(([code, rate]) => `${code} ${rate}`)];
  return t('note.local_tax', {
    currency,
    rates: parts.join(' = '),
    date: formatDate(rates.date, locale),
    source: rates.source,
  });
}

/** The note for a business that pays no tax. It adds the wording of the place's law if the translated text lacks it. */
export function reliefNote({ relief: { kind, phrase } }: Document, t: TranslateDocument): string | false {
  if (kind === 'none') return false;
  const note = t(`note.${kind}`);
  return phrase === undefined || note.includes(phrase) ? note : `${note} (${phrase})`;
}

const componentsOf = ({ groups }: Document) => groups.flatMap(({ components }) => components);

const has = (document: Document, zeroReason: ZeroReason): boolean =>
  componentsOf(document).some(({ reason }) => reason === zeroReason);

/** Whether every taxed price includes its tax. */
function isInclusive({ lines, kind, gross }: Document): boolean {
  const taxed = lines.filter(({ components }) => components.some(isCharged));
  return kind === 'INV' && gross > 0 && taxed.length > 0 && taxed.every(({ taxInclusive }) => taxInclusive);
}

const isCharged = ({ reason, rate }: { reason: ZeroReason | null; rate: string | null }): boolean =>
  reason === null && rate !== null;

/** The default legal grounds of exemptions. They are used if the merchant has set none. */
const grounds: Readonly<Record<string, string>> = {
  BR: 'Constituição Federal, art. 150, VI, d',
};

/** The legal grounds of an exemption: the merchant's own, or otherwise those of the place's law. */
export function exemptionReasons(document: Document): readonly string[] {
  if (!has(document, 'exempt')) return [];
  if (document.exemptions.length > 0) return document.exemptions;
  const places = componentsOf(document).filter(({ reason }) => reason === 'exempt');
  return [...new Set(places.flatMap(({ jurisdiction }) => grounds[jurisdiction] ?? []))];
}
