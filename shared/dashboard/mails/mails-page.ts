import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Mail } from '../../domain/mail.ts';
import type { Page } from '../../http/page.ts';
import { option } from '../../pages/fields.ts';
import { mailHeaders } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Locale, locales } from '../../pages/locale.ts';
import { type MailsKey, mailsTexts, pageTexts } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { actionButton, card, facts } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** A mail as its readers get it, and when it is sent. */
export interface ExampleMail {
  kind: 'invoice' | 'corrected' | 'credit_note' | 'cancellation' | 'link' | 'invite';
  mail: Mail;
}

interface MailsView {
  mails: readonly ExampleMail[];
  locale: Locale;
  brand: Brand;
  brands: readonly Brand[];
  canMail: boolean;
  /** Whether the viewer has a mail address. Members have one, and API keys do not. */
  hasAddress: boolean;
  /** The result of sending an example. */
  said: ExampleOutcome | undefined;
}

export const exampleOutcomes = ['sent', 'often', 'failed', 'key'] as const;
export type ExampleOutcome = (typeof exampleOutcomes)[number];

export const mailsHome = '/dashboard/mails';

export function mailsPage(frame: Frame, view: MailsView) {
  const t = textsOf(mailsTexts, frame);
  const main = html`${view.said && outcomeNote(view.said, t)}${!view.canMail && html`<p class="note wait">${t('unmailed')}</p>`}
<p class="hint">${t('lead')}</p>
${view.canMail && !view.hasAddress && view.said !== 'key' && html`<p class="hint">${t('send.key')}</p>`}
${choiceForm(view, t)}
${view.mails.map((example) => exampleCard(frame, example, { view, t }))}`;
  return dashboardAnswer(frame, { title: t('nav./dashboard/mails'), section: mailsHome, main }, { hasFrames: true });
}

const outcomeNote = (said: ExampleOutcome, t: Texts<MailsKey>): Html =>
  html`<p class="note ${said === 'sent' ? 'done' : 'wait'}" role="status">${t(said === 'key' ? 'send.key' : `said.${said}`)}</p>
`;

const choiceForm = ({ locale, brand, brands }: MailsView, t: Texts<MailsKey>): Html =>
  html`<form class="filters" method="get" action="${mailsHome}">
<div class="field"><label for="mail-language">${t('language')}</label><select id="mail-language" name="language">${locales.map((one) => option(one, pageTexts[one].language, one === locale))}</select></div>
${brands.length > 1 && html`<div class="field"><label for="mail-brand">${t('brand')}</label><select id="mail-brand" name="brand">${brands.map(({ id, name }) => option(id, name, id === brand.id))}</select></div>`}
<p class="actions"><button class="second">${t('show')}</button></p>
</form>`;

/** A mail for its frame. Its links would open a new window, which the frame does not allow. */
export const framedMail = (mail: Mail, brand: Brand): Page => ({
  statusCode: 200,
  headers: mailHeaders([brand.logo]),
  body: mail.html.replace('<head>', '<head><base target="_blank">'),
});

const frameOfMail = (kind: ExampleMail['kind'], { locale, brand }: MailsView): string =>
  `${mailsHome}?${new URLSearchParams({ language: locale, brand: brand.id, mail: kind })}`;

function exampleCard(
  frame: Frame,
  { kind, mail }: ExampleMail,
  { view, t }: { view: MailsView; t: Texts<MailsKey> },
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
<iframe class="mail" title="${title}" sandbox="allow-same-origin" loading="lazy" src="${frameOfMail(kind, view)}"></iframe>
<details><summary>${t('text')}</summary><pre class="answer" dir="auto" tabindex="0">${mail.text}</pre></details>
${view.canMail && view.hasAddress && sendButton(frame, kind, { view, t })}`,
  )}
`;
}

const sendButton = (
  frame: Frame,
  kind: ExampleMail['kind'],
  { view: { locale, brand }, t }: { view: MailsView; t: Texts<MailsKey> },
): Html =>
  html`<div class="submit">${actionButton(frame, {
    to: mailsHome,
    action: 'send_example',
    needs: dashboardCommands.mails.send_example,
    label: html`${t('send')}<span class="visually-hidden"> (${t(`${kind}.title`)})</span>`,
    fields: { mail: kind, language: locale, brand: brand.id },
  })}</div>`;
