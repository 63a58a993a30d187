import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { DomainError } from '../../domain/errors.ts';
import {
  type LanguageWords,
  type OwnWords,
  ownParts,
  ownPlaceholders,
  type WordedMail,
  wordedMails,
} from '../../domain/orders/own-words.ts';
import type { Page } from '../../http/page.ts';
import { textField } from '../../pages/fields.ts';
import { formatLanguage } from '../../pages/format.ts';
import { mailHeaders } from '../../pages/headers.ts';
import { html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type ChangeMailWordsDeps, changeMailWords } from '../../use-cases/catalogue/change-mail-words.ts';
import { MailWordsInput } from '../../wire/catalogue/mail-text.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import { dashboardAnswer, frameOf, may } from '../frame.ts';
import { facts, faultSummary, fieldCard, formKeys, messageAt, textArea } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';

export const mailsHome = '/dashboard/mails';

/** The example that shows the words of each mail. */
export const exampleOfWords = { purchase: 'invoice', refund: 'credit_note' } as const satisfies Record<
  WordedMail,
  string
>;

export const wordedMailNamed = (name: string | undefined): WordedMail | undefined =>
  wordedMails.find((mail) => mail === name);

/** The mail whose words are changed. */
export interface ChosenWords {
  mail: WordedMail;
  locale: Locale;
  brandId: string;
}

/** The address of a page about the mails of a brand in a language. */
export const mailsUrl = (
  { locale, brandId }: Pick<ChosenWords, 'locale' | 'brandId'>,
  more: Readonly<Record<string, string>>,
): string => `${mailsHome}?${new URLSearchParams({ language: locale, brand: brandId, ...more })}`;

const typedWords = (form: DashboardForm): Required<OwnWords> => ({
  subject: form.text('subject'),
  greeting: form.text('greeting'),
  closing: form.text('closing'),
});

/** Saves the typed words, or shows them again with their errors. */
export function saveMailWords(deps: ChangeMailWordsDeps, submission: FormSubmission, chosen: ChosenWords) {
  const { mail, locale: language } = chosen;
  const typed = typedWords(submission.form);
  return unlessRefused(
    async () => {
      const words = parseInput(MailWordsInput, typed);
      return submission.once<string>(
        (claim) => changeMailWords(deps, { mail, language, words }, claim),
        () => mailsUrl(chosen, { edit: mail, done: 'saved' }),
      );
    },
    (refusal) => mailWordsPage(submission, { ...chosen, words: typed, refusal }),
  );
}

/**
 * The mail with the typed words, for the frame of the form. Nothing is stored. If a text is refused, the frame says why.
 */
export function previewMailWords(
  submission: FormSubmission,
  { mail }: ChosenWords,
  show: (words: LanguageWords) => Page,
): Promise<Page> {
  return unlessRefused(
    async () => show({ [mail]: parseInput(MailWordsInput, typedWords(submission.form)), version: 0 }),
    (refusal) => refusedPreview(submission, refusal),
  );
}

/** A page for the frame that says what is wrong. It loads nothing, as the mail in its place. */
function refusedPreview(visit: Visit, refusal: DomainError): Page {
  const t = textsOf(dashboardTexts('faults'), visit);
  const messages = faultsOf(refusal, t).map(({ message }) => html`<p>${message}</p>`);
  const body = html`<!doctype html>
<html lang="${t.locale}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${t('faults.title')}</title></head>
<body style="font-family:system-ui,sans-serif"><main>${messages}</main></body>
</html>
`.text;
  return { statusCode: 422, headers: mailHeaders([]), body };
}

interface WordsView extends ChosenWords {
  words: OwnWords;
  refusal?: DomainError;
}

/** The form with the merchant's words for one mail in one language, and the mail as the buyer gets it. */
export function mailWordsPage(visit: Visit, { words, refusal, ...chosen }: WordsView) {
  const frame = frameOf(visit);
  const t = textsOf(dashboardTexts('mails'), frame, dashboardTexts('faults'));
  const { mail, locale, brandId } = chosen;
  const faults = refusal ? faultsOf(refusal, t) : [];
  const isLocked = !may(frame, dashboardCommands.mails.save_words);
  const title = t(`words.${mail}`);
  const field = (part: keyof typeof ownParts) => ({
    id: part,
    name: part,
    label: t(part === 'subject' ? 'subject' : `words.${part}`),
    value: words[part] ?? '',
    maxLength: ownParts[part],
    hint: t(`words.${part}.hint`),
    fault: messageAt(faults, part),
  });
  const main = html`${faultSummary(faults, t)}
<form method="post" action="${mailsHome}" novalidate>${formKeys(frame)}<input type="hidden" name="edit" value="${mail}"><input type="hidden" name="language" value="${locale}"><input type="hidden" name="brand" value="${brandId}">
${fieldCard(
  { title: formatLanguage(locale, t.locale), isLocked },
  html`<p class="lead">${t('words.lead', { language: formatLanguage(locale, t.locale) })}</p>
${textField(field('subject'))}
${textArea(field('greeting'))}
${textArea(field('closing'))}
<details><summary>${t('words.names')}</summary>${facts(ownPlaceholders.map((name) => [`{${name}}`, t(`words.names.${name}`)]))}</details>`,
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="save_words">${t('words.save')}</button> <button class="second" name="action" value="preview_words" formtarget="words-preview">${t('words.preview')}</button></p>`}</form>
<iframe class="mail" name="words-preview" title="${t('words.shown')}" sandbox="allow-same-origin" src="${mailsUrl(chosen, { mail: exampleOfWords[mail], subject: 'shown' })}"></iframe>`;
  const above = { href: `${mailsUrl(chosen, {})}#${exampleOfWords[mail]}-title`, label: t('nav./dashboard/mails') };
  const answered = { statusCode: faults.length > 0 ? 422 : 200, hasFrames: true };
  return dashboardAnswer(frame, { title, section: mailsHome, above, main }, answered);
}
