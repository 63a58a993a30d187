import { formatDate } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import { templateTranslator } from '../../texts/texts.ts';
import type { AccessibilityInput, ImprintInput } from '../../wire/catalogue/policy-form.ts';

type TemplateTexts = ReturnType<typeof templateTranslator>;
type Row = [label: string, value: string | null | undefined];

/** The rows with a value, as lines: `E-mail: help@example.com`. */
const rowsOf = (rows: readonly Row[], t: TemplateTexts): string[] =>
  rows.flatMap(([label, value]) => (value ? [t('row', { label, value })] : []));

/** The text without direction marks around values. A merchant's text may not contain such marks. */
const withoutMarks = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');

const paragraphs = (parts: readonly (readonly (string | null | undefined)[])[]): string =>
  withoutMarks(
    parts
      .map((lines) => lines.filter((one) => one).join('\n'))
      .filter((text) => text !== '')
      .join('\n\n'),
  );

/** The imprint in a language, made from the merchant's entries. */
export function imprintText(entered: ImprintInput, locale: Locale): string {
  const t = templateTranslator(locale);
  const { arbitration, board } = entered;
  const named = [entered.name, entered.legalForm].filter((one) => one).join(' · ');
  return paragraphs([
    [named, entered.address],
    rowsOf(
      [
        [t('represented'), entered.represented],
        [t('email'), entered.email],
        [t('phone'), entered.phone],
        [t('otherWay'), entered.otherWay],
      ],
      t,
    ),
    rowsOf(
      [
        [t('register'), entered.register],
        [t('taxId'), entered.taxId],
        [t('authority'), entered.authority],
        [t('responsible'), entered.responsible],
      ],
      t,
    ),
    [arbitration !== 'none' && t(`arbitration.${arbitration}`, { board: board ?? '' })].map((one) => one || null),
  ]);
}

/** The statement on accessibility in a language, made from the merchant's entries. */
export function accessibilityText(entered: AccessibilityInput, locale: Locale): string {
  const t = templateTranslator(locale);
  const { status, exceptions } = entered;
  return paragraphs([
    [t('service.title'), entered.service, t('service.how')],
    [t('status.title'), t(`status.${status}`), status === 'partly' ? exceptions : null],
    [t('barrier', { email: entered.email }), ...rowsOf([[t('authority'), entered.authority]], t)],
    [t('checkedOn', { date: formatDate(entered.checkedOn, locale) })],
  ]);
}
