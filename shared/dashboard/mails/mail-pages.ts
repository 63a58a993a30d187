import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Brand, shownBrand } from '../../domain/catalogue/brand.ts';
import type { Document } from '../../domain/documents/document.ts';
import { sampleDocuments } from '../../domain/documents/sample-documents.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { hashApiKey } from '../../http/api-key.ts';
import type { Page } from '../../http/page.ts';
import { seeOther } from '../../pages/headers.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { keys } from '../../store/keys.ts';
import { mailsTexts } from '../../texts/texts.ts';
import { mailExample } from '../../use-cases/access/mail-example.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { invitationMail, type MailFrame, signInMail } from '../members/member-mail.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { type ExampleMail, exampleOutcomes, framedMail, mailsHome, mailsPage } from './mails-page.ts';

interface MailPagesDeps {
  brands: Pick<BrandStore, 'get'>;
  merchant: Merchant;
  /** Composes the mail of a document in a language. */
  documentMail: (document: Document, locale: Locale) => Mail;
  memberMails: MailFrame;
  /** Undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  throttles: ThrottleStore;
  now: () => Date;
}

/**
 * Shows every kind of mail with an invented sale, by brand and language. Nothing is stored. A member can send an
 * example to themselves.
 */
export const mailPages = (deps: MailPagesDeps): DashboardRoutes<typeof dashboardCommands.mails> => ({
  needs: () => [keys.brands()],
  show: async (visit) => {
    const { request, viewer } = visit;
    const chosen = await chosenMails(deps, visit, request.query);
    const asked = request.query('mail');
    if (asked !== undefined) return framedMail(exampleOf(chosen, asked).mail, chosen.brand);
    return mailsPage(frameOf(visit), {
      ...chosen,
      canMail: deps.mailer !== undefined,
      hasAddress: viewer.member !== null,
      said: exampleOutcomes.find((outcome) => outcome === request.query('said')),
    });
  },
  forms: {
    commands: dashboardCommands.mails,
    run: { send_example: (submission) => sendToViewer(deps, submission) },
  },
});

interface ChosenMails {
  mails: readonly ExampleMail[];
  locale: Locale;
  brand: Brand;
  brands: readonly Brand[];
}

/** The mails for the brand and language in the address or the form. */
async function chosenMails(
  deps: MailPagesDeps,
  visit: Visit,
  named: (name: string) => string | undefined,
): Promise<ChosenMails> {
  const all = await deps.brands.get();
  const brand = shownBrand(all, named('brand') ?? '');
  const locale = findLocale(named('language')) ?? visit.locale;
  const mails = [...documentMails(deps, brand, locale), ...mailsToMembers(deps, locale)];
  return { mails, locale, brand, brands: all.brands };
}

function exampleOf({ mails }: ChosenMails, kind: string): ExampleMail {
  const example = mails.find((one) => one.kind === kind);
  if (!example) throw notFound('mail', kind);
  return example;
}

/** Sends an example only to the member who asks for it. The subject says that it is an example. */
async function sendToViewer(deps: MailPagesDeps, submission: FormSubmission): Promise<Page> {
  const { viewer, form } = submission;
  const { member, keyName: to } = viewer;
  if (!deps.mailer) throw new DomainError('CONFLICT', 'This stack does not send mail.');
  const chosen = await chosenMails(deps, submission, (name) => form.text(name));
  const { kind, mail } = exampleOf(chosen, form.text('mail'));
  const { copyTo: _, ...example } = mail;
  const subject = textsOf(mailsTexts, submission)('example.subject', { subject: mail.subject });
  const said = member
    ? await mailExample({ ...deps, hashOf: hashApiKey }, member.id, { ...example, subject, to })
    : 'key';
  const query = new URLSearchParams({ language: chosen.locale, brand: chosen.brand.id, said });
  return seeOther(`${mailsHome}?${query}#${kind}-title`);
}

function documentMails({ merchant, documentMail, now }: MailPagesDeps, brand: Brand, locale: Locale): ExampleMail[] {
  const documents = sampleDocuments(merchant, brand, now().toISOString());
  const kinds = ['invoice', 'corrected', 'credit_note', 'cancellation'] as const;
  return kinds.map((kind) => ({ kind, mail: documentMail(documents[kind], locale) }));
}

/** The example's link signs nobody in, because its token does not exist. */
function mailsToMembers({ memberMails }: MailPagesDeps, locale: Locale): ExampleMail[] {
  const member = { email: 'member@example.com' };
  return [
    { kind: 'link', mail: signInMail(memberMails, locale)(member, 'example') },
    { kind: 'invite', mail: invitationMail(memberMails, locale)(member) },
  ];
}
