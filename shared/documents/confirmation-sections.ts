import type { Document } from '../domain/documents/document.ts';
import type { Site } from '../domain/site.ts';
import type { Confirmation } from '../domain/withdrawal/confirmation.ts';
import { withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { formatDate, formatTime } from '../pages/format.ts';
import { inLanguage, type Locale } from '../pages/locale.ts';
import type { MailSection } from '../pages/mail/mail-parts.ts';
import { oneLine } from '../pages/mail/mail-words.ts';
import { withdrawalInstructions } from '../pages/withdrawal-instructions.ts';
import { confirmationTranslator } from '../texts/texts.ts';
import { printedSeller } from './document-parties.ts';

/** Writes the text sections of a sale's confirmation. */
export type Confirm = (document: Document, confirmation: Confirmation, locale: Locale) => MailSection[];

/**
 * The sections of a confirmation below the order: the consents word for word, the instructions about withdrawal with
 * the model form, and the seller's texts at that time. The mail contains all of them, because a page may change.
 */
export const confirmationSections =
  (site: Site, phone: string | undefined): Confirm =>
  ({ seller, brand = {} }, { supplies, consents, texts }, locale) => {
    const t = confirmationTranslator(locale);
    const { name, lines } = printedSeller(seller, locale);
    const contact = {
      seller: oneLine(name, 200),
      address: lines.map((line) => oneLine(line, 200)),
      phone: phone ?? null,
      email: seller.email ?? brand.email ?? null,
      url: site.publicUrl + inLanguage(withdrawPath, locale),
    };
    const { parts, form } = withdrawalInstructions(locale, contact, supplies);
    const moment = (at: string) => ({ date: formatDate(at, locale), time: formatTime(at) });
    return [
      ...consents.map(({ text, language, at }) => ({
        title: t('consent'),
        paragraphs: [text],
        language,
        note: t('consented', moment(at)),
      })),
      ...parts,
      { title: form.title, paragraphs: form.lines },
      ...texts.map(({ kind, text, language, publishedAt }) => ({
        title: t(`policy.${kind as 'terms' | 'refunds' | 'withdrawal'}`),
        paragraphs: text.split(/\n{2,}/),
        language,
        note: t('version', { date: formatDate(publishedAt, locale) }),
      })),
    ];
  };
