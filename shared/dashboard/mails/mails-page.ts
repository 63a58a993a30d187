import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Brand, shownBrand } from '../../domain/catalogue/brand.ts';
import type { Document } from '../../domain/documents/document.ts';
import { sampleDocuments } from '../../domain/documents/sample-documents.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { type LanguageWords, type WordedMail, wordedMails } from '../../domain/orders/own-words.ts';
import { hashApiKey } from '../../http/api-key.ts';
import type { Page } from '../../http/page.ts';
import { option } from '../../pages/fields.ts';
import { mailHeaders, seeOther } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import { findLocale, type Locale, locales } from '../../pages/locale.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts, pageTexts, type TextKey } from '../../texts/texts.ts';
import { mailExample } from '../../use-cases/access/mail-example.ts';
import type { ChangeMailWordsDeps } from '../../use-cases/catalogue/change-mail-words.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { invitationMail, type MailFrame, signInMail } from '../members/member-mail.ts';
import { actionButton, badge, card, facts } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import {
  type ChosenWords,
  exampleOfWords,
  mailsHome,
  mailsUrl,
  mailWordsPage,
  previewMailWords,
  saveMailWords,
  wordedMailNamed,
} from './mail-words-page.ts';

/** An example of a mail, and when such a mail is sent. */
interface ExampleMail {
  kind: 'invoice' | 'corrected' | 'credit_note' | 'cancellation' | 'link' | 'invite';
  mail: Mail;
}

interface ChosenMails {
  mails: readonly ExampleMail[];
  locale: Locale;
  brand: Brand;
  brands: readonly Brand[];
  /** The merchant's own words in this language. */
  words: LanguageWords;
}

interface MailsView extends ChosenMails {
  canMail: boolean;
  /** Whether the viewer has a mail address. Members have one, and API keys do not. */
  hasAddress: boolean;
  /** The result of sending an example. */
  said: ExampleOutcome | undefined;
}

const exampleOutcomes = ['sent', 'often', 'failed', 'key'] as const;
type ExampleOutcome = (typeof exampleOutcomes)[number];

interface MailPagesDeps extends ChangeMailWordsDeps {
  merchant: Merchant;
  /** Composes the mail of a document in a language. */
  documentMail: (document: Document, locale: Locale, words: LanguageWords) => Mail;
  memberMails: MailFrame;
  /** The mailer; undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  throttles: ThrottleStore;
  now: () => Date;
}

/**
 * The page that shows an example of every kind of mail, about an invented sale, by brand and language. A member can
 * have an example sent to themselves. The merchant can write own words for the mails after a payment and a refund.
 */
export const mailPages = (deps: MailPagesDeps): DashboardRoutes<typeof dashboardCommands.mails> => ({
  needs: () => [keys.brands()],
  show: async (visit) => {
    const { request, viewer } = visit;
    const chosen = await chosenMails(deps, visit, request.query);
    const kind = request.query('mail');
    const edited = wordedMailNamed(request.query('edit'));
    if (edited) return mailWordsPage(visit, { ...ofWords(chosen, edited), words: chosen.words[edited] ?? {} });
    if (kind !== undefined)
      return framedMail(exampleOf(chosen, kind).mail, chosen.brand, request.query('subject') ? visit : undefined);
    return mailsPage(frameOf(visit), {
      ...chosen,
      canMail: deps.mailer !== undefined,
      hasAddress: viewer.member !== null,
      said: exampleOutcomes.find((outcome) => outcome === request.query('said')),
    });
  },
  forms: {
    commands: dashboardCommands.mails,
    run: {
      send_example: (submission) => sendToViewer(deps, submission),
      preview_words: async (submission) => {
        const { chosen, edited } = await chosenForm(deps, submission);
        const mailWith = (words: LanguageWords) =>
          exampleOf({ mails: documentMails(deps, { ...chosen, words }) }, exampleOfWords[edited]);
        return previewMailWords(submission, ofWords(chosen, edited), (words) =>
          framedMail(mailWith(words).mail, chosen.brand, submission),
        );
      },
      save_words: async (submission) => {
        const { chosen, edited } = await chosenForm(deps, submission);
        return saveMailWords(deps, submission, ofWords(chosen, edited));
      },
    },
  },
});

const ofWords = ({ locale, brand }: ChosenMails, mail: WordedMail): ChosenWords => ({
  mail,
  locale,
  brandId: brand.id,
});

/** The mail whose words a form changes, for the brand and language in the form. */
async function chosenForm(deps: MailPagesDeps, submission: FormSubmission) {
  const name = submission.form.text('edit');
  const edited = wordedMailNamed(name);
  if (!edited) throw notFound('mail', name);
  return { chosen: await chosenMails(deps, submission, (field) => submission.form.text(field)), edited };
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
  const words = await deps.brands.mailWords(locale);
  const mails = [...documentMails(deps, { brand, locale, words }), ...mailsToMembers(deps, locale)];
  return { mails, locale, brand, brands: all.brands, words };
}

function exampleOf({ mails }: Pick<ChosenMails, 'mails'>, kind: string): ExampleMail {
  const example = mails.find((one) => one.kind === kind);
  if (!example) throw notFound('mail', kind);
  return example;
}

/** Sends an example, but only to the member who requests it. The subject says that it is an example. */
async function sendToViewer(deps: MailPagesDeps, submission: FormSubmission): Promise<Page> {
  const { viewer, form } = submission;
  const { member, keyName: to } = viewer;
  if (!deps.mailer) throw new DomainError('CONFLICT', 'This stack does not send mail.');
  const chosen = await chosenMails(deps, submission, (name) => form.text(name));
  const { kind, mail } = exampleOf(chosen, form.text('mail'));
  const { copyTo: _, ...example } = mail;
  const subject = textsOf(dashboardTexts('mails'), submission)('example.subject', { subject: mail.subject });
  const said = member
    ? await mailExample({ ...deps, hashOf: hashApiKey }, member.id, { ...example, subject, to })
    : 'key';
  return seeOther(`${mailsUrl({ locale: chosen.locale, brandId: chosen.brand.id }, { said })}#${kind}-title`);
}

function documentMails(
  { merchant, documentMail, now }: MailPagesDeps,
  { brand, locale, words }: Pick<ChosenMails, 'brand' | 'locale' | 'words'>,
): ExampleMail[] {
  const documents = sampleDocuments(merchant, brand, now().toISOString());
  const kinds = ['invoice', 'corrected', 'credit_note', 'cancellation'] as const;
  return kinds.map((kind) => ({ kind, mail: documentMail(documents[kind], locale, words) }));
}

/** Examples of mails to members. The link in the example does not sign in, because its token does not exist. */
function mailsToMembers({ memberMails }: MailPagesDeps, locale: Locale): ExampleMail[] {
  const member = { email: 'member@example.com' };
  return [
    { kind: 'link', mail: signInMail(memberMails, locale)(member, 'example') },
    { kind: 'invite', mail: invitationMail(memberMails, locale)(member) },
  ];
}

function mailsPage(frame: Frame, view: MailsView) {
  const t = textsOf(dashboardTexts('mails'), frame);
  const main = html`${view.said && outcomeNote(view.said, t)}${!view.canMail && html`<p class="note wait">${t('unmailed')}</p>`}
<p class="hint">${t('lead')}</p>
${view.canMail && !view.hasAddress && view.said !== 'key' && html`<p class="hint">${t('send.key')}</p>`}
${choiceForm(view, t)}
${view.mails.map((example) => exampleCard(frame, example, { view, t }))}`;
  return dashboardAnswer(frame, { title: t('nav./dashboard/mails'), section: mailsHome, main }, { hasFrames: true });
}

const outcomeNote = (said: ExampleOutcome, t: Texts<TextKey<'mails'>>): Html =>
  html`<p class="note ${said === 'sent' ? 'done' : 'wait'}" role="status">${t(said === 'key' ? 'send.key' : `said.${said}`)}</p>
`;

const choiceForm = ({ locale, brand, brands }: MailsView, t: Texts<TextKey<'mails'>>): Html =>
  html`<form class="filters" method="get" action="${mailsHome}">
<div class="field"><label for="mail-language">${t('language')}</label><select id="mail-language" name="language">${locales.map((one) => option(one, pageTexts[one].language, one === locale))}</select></div>
${brands.length > 1 && html`<div class="field"><label for="mail-brand">${t('brand')}</label><select id="mail-brand" name="brand">${brands.map(({ id, name }) => option(id, name, id === brand.id))}</select></div>`}
<p class="actions"><button class="second">${t('show')}</button></p>
</form>`;

/**
 * The page for the frame that shows a mail. Links in the mail would open a new window, which the frame does not allow.
 * @param viewer who also sees the subject above the mail; undefined if it is shown elsewhere
 */
const framedMail = (mail: Mail, brand: Brand, viewer?: Pick<Visit, 'locale'>): Page => ({
  statusCode: 200,
  headers: mailHeaders([brand.logo]),
  body: mail.html
    .replace('<head>', '<head><base target="_blank">')
    .replace('<main>', () => `<main>${viewer ? subjectLine(mail, textsOf(dashboardTexts('mails'), viewer)).text : ''}`),
});

const subjectLine = ({ subject }: Mail, t: Texts<TextKey<'mails'>>): Html =>
  html`<p class="s" style="max-width:552px;margin:0 auto 12px;color:#585d63"><span lang="${t.locale}" dir="auto">${t('subject')}:</span> <strong dir="auto">${subject}</strong></p>
`;

const frameOfMail = (kind: ExampleMail['kind'], { locale, brand }: MailsView): string =>
  mailsUrl({ locale, brandId: brand.id }, { mail: kind });

/** The link to the words of a mail; undefined for a mail that always has ours. */
function wordsLink(kind: ExampleMail['kind'], view: MailsView, t: Texts<TextKey<'mails'>>): Html | undefined {
  const mail = wordedMails.find((one) => exampleOfWords[one] === kind);
  if (!mail) return undefined;
  const href = mailsUrl(ofWords(view, mail), { edit: mail });
  return html`<p><a href="${href}">${t('words.change')}</a>${view.words[mail] && html` ${badge('own', 'none', t('words.own'))}`}</p>
`;
}

function exampleCard(
  frame: Frame,
  { kind, mail }: ExampleMail,
  { view, t }: { view: MailsView; t: Texts<TextKey<'mails'>> },
): Html {
  const title = t(`${kind}.title`);
  const { from, replyTo } = mail;
  return html`${card(
    { name: kind, title },
    html`<p class="lead">${t(`${kind}.when`)}</p>
${facts([
  [t('subject'), html`<bdi>${mail.subject}</bdi>`],
  [t('sender'), html`<bdi>${from.name}</bdi> &lt;${from.address}&gt;`],
  [t('answers'), replyTo ?? from.address],
])}
${wordsLink(kind, view, t)}<iframe class="mail" title="${title}" sandbox="allow-same-origin" loading="lazy" src="${frameOfMail(kind, view)}"></iframe>
<details><summary>${t('text')}</summary><pre class="answer" dir="auto" tabindex="0">${mail.text}</pre></details>
${view.canMail && view.hasAddress && sendButton(frame, kind, { view, t })}`,
  )}
`;
}

const sendButton = (
  frame: Frame,
  kind: ExampleMail['kind'],
  { view: { locale, brand }, t }: { view: MailsView; t: Texts<TextKey<'mails'>> },
): Html =>
  html`<div class="submit">${actionButton(frame, {
    to: mailsHome,
    action: 'send_example',
    needs: dashboardCommands.mails.send_example,
    label: html`${t('send')}<span class="visually-hidden"> (${t(`${kind}.title`)})</span>`,
    fields: { mail: kind, language: locale, brand: brand.id },
  })}</div>`;
