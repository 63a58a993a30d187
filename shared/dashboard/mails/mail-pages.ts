import { type Brand, shownBrand } from '../../domain/catalogue/brand.ts';
import type { Document } from '../../domain/documents/document.ts';
import { sampleDocuments } from '../../domain/documents/sample-documents.ts';
import { notFound } from '../../domain/errors.ts';
import type { Mail } from '../../domain/mail.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { keys } from '../../store/keys.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { invitationMail, type MailFrame, signInMail } from '../members/member-mail.ts';
import { type ExampleMail, framedMail, mailsPage } from './mails-page.ts';

interface MailPagesDeps {
  brands: Pick<BrandStore, 'get'>;
  merchant: Merchant;
  /** Composes the mail of a document in a language. */
  documentMail: (document: Document, locale: Locale) => Mail;
  memberMails: MailFrame;
  canMail: boolean;
  now: () => Date;
}

/** Every kind of mail, with an invented sale of a brand, in a language: nothing of it is kept or sent. */
export const mailPages = (deps: MailPagesDeps): DashboardRoutes => ({
  needs: () => [keys.brands()],
  show: async (visit) => {
    const { request } = visit;
    const all = await deps.brands.get();
    const brand = shownBrand(all, request.query('brand') ?? '');
    const locale = findLocale(request.query('language')) ?? visit.locale;
    const mails = [...documentMails(deps, brand, locale), ...mailsToMembers(deps, locale)];
    const asked = request.query('mail');
    if (asked !== undefined) {
      const example = mails.find(({ kind }) => kind === asked);
      if (!example) throw notFound('mail', asked);
      return framedMail(example.mail, brand);
    }
    return mailsPage(frameOf(visit), {
      mails,
      locale,
      brand,
      brands: all.brands,
      canMail: deps.canMail,
    });
  },
});

function documentMails({ merchant, documentMail, now }: MailPagesDeps, brand: Brand, locale: Locale): ExampleMail[] {
  const documents = sampleDocuments(merchant, brand, now().toISOString());
  const kinds = ['invoice', 'corrected', 'credit_note', 'cancellation'] as const;
  return kinds.map((kind) => ({ kind, mail: documentMail(documents[kind], locale) }));
}

/** The link of the example signs in nowhere: there is no such token. */
function mailsToMembers({ memberMails }: MailPagesDeps, locale: Locale): ExampleMail[] {
  const member = { email: 'member@example.com' };
  return [
    { kind: 'link', mail: signInMail(memberMails, locale)(member, 'example') },
    { kind: 'invite', mail: invitationMail(memberMails, locale)(member) },
  ];
}
