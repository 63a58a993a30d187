import type { Mail } from '../domain/mail.ts';
import type { Merchant } from '../domain/merchant.ts';
import { findLocale, type Locale } from '../pages/locale.ts';
import { composeMail } from '../pages/mail/compose-mail.ts';
import { isolated } from '../pages/mail/mail-words.ts';
import { portalTranslator, type TranslatePortal } from '../texts/texts.ts';

interface PortalMailFrame {
  merchant: Pick<Merchant, 'name' | 'address' | 'supportEmail'>;
  isSandbox: boolean;
  /** The sender's address of the receipts. */
  from: string | undefined;
}

export interface PortalMailLink {
  to: string;
  url: string;
  locale: Locale;
}

/**
 * Returns a function that composes the mail with a portal link that a buyer requested. It says nothing about purchases.
 */
export const portalMailComposer =
  (frame: PortalMailFrame) =>
  (link: PortalMailLink): Mail =>
    mailOf(frame, link, (t) => [t('mail.once'), t('mail.not_you')]);

/** Returns a function that composes the mail with a portal link that the merchant requested. */
export const portalSessionMailComposer =
  (frame: PortalMailFrame) =>
  ({ language, ...link }: Omit<PortalMailLink, 'locale'> & { language: string | null }): Mail =>
    mailOf(frame, { ...link, locale: findLocale(language ?? undefined) ?? 'en' }, (t) => [t('mail.day')]);

function mailOf(
  { merchant, isSandbox, from = 'receipts@example.com' }: PortalMailFrame,
  { to, url, locale }: PortalMailLink,
  paragraphsOf: (t: TranslatePortal) => string[],
): Mail {
  const t = portalTranslator(locale);
  const name = isolated(merchant.name, locale, 100);
  const { address, supportEmail = null } = merchant;
  return composeMail(
    {
      locale,
      subject: t('mail.subject', { merchant: name }),
      brand: { name: merchant.name },
      preview: t('mail.text', { merchant: name }),
      lead: t('mail.text', { merchant: name }),
      paragraphs: paragraphsOf(t),
      links: [{ label: t('open.button'), url: `${url}&lang=${locale}` }],
      seller: { role: t('mail.seller'), name: merchant.name, lines: address },
      after: isSandbox ? [t('sandbox.notice')] : [],
    },
    { from, to, replyTo: supportEmail },
  );
}
