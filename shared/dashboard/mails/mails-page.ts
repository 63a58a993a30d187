import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Mail } from '../../domain/mail.ts';
import type { Page } from '../../http/page.ts';
import { option } from '../../pages/fields.ts';
import { mailHeaders } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Locale, locales, strings } from '../../pages/locale.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { mailsDictionary } from '../language/mails/dictionary.ts';
import type { MailsKey } from '../language/mails/en.ts';
import { type Texts, textsOf } from '../language/texts.ts';
import { facts } from '../parts.ts';

/** A mail as its readers would get it, and on what occasion. */
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
}

const section = '/dashboard/mails';

export function mailsPage(frame: Frame, view: MailsView) {
  const t = textsOf(mailsDictionary, frame.locale);
  const main = html`${!view.canMail && html`<p class="note wait">${t('unmailed')}</p>`}
<p class="hint">${t('lead')}</p>
${choiceForm(view, t)}
${view.mails.map((example) => exampleCard(example, view, t))}`;
  return dashboardAnswer(frame, { title: t('title'), section, main }, { hasFrames: true });
}

const choiceForm = ({ locale, brand, brands }: MailsView, t: Texts<MailsKey>): Html =>
  html`<form class="filters" method="get" action="${section}">
<div class="field"><label for="mail-language">${t('language')}</label><select id="mail-language" name="language">${locales.map((one) => option(one, strings[one].language, one === locale))}</select></div>
${brands.length > 1 && html`<div class="field"><label for="mail-brand">${t('brand')}</label><select id="mail-brand" name="brand">${brands.map(({ id, name }) => option(id, name, id === brand.id))}</select></div>`}
<p class="actions"><button class="second">${t('show')}</button></p>
</form>`;

/** A mail for its frame. Its links ask for a new window, which the frame does not get. */
export const framedMail = (mail: Mail, brand: Brand): Page => ({
  statusCode: 200,
  headers: mailHeaders([brand.logo]),
  body: mail.html.replace('<head>', '<head><base target="_blank">'),
});

const frameOfMail = (kind: ExampleMail['kind'], { locale, brand }: MailsView): string =>
  `${section}?${new URLSearchParams({ language: locale, brand: brand.id, mail: kind })}`;

function exampleCard({ kind, mail }: ExampleMail, view: MailsView, t: Texts<MailsKey>): Html {
  const title = t(`${kind}.title`);
  const { from, replyTo } = mail;
  return html`<section class="card" aria-labelledby="${kind}-title"><h2 id="${kind}-title">${title}</h2><p class="lead">${t(`${kind}.when`)}</p>
${facts([
  [t('subject'), html`<bdi>${mail.subject}</bdi>`],
  [t('sender'), html`<bdi>${from.name}</bdi> &lt;${from.address}&gt;`],
  [t('answers'), replyTo ?? from.address],
])}
<iframe class="mail" title="${title}" sandbox="" loading="lazy" src="${frameOfMail(kind, view)}"></iframe>
<details><summary>${t('text')}</summary><pre class="answer" dir="auto" tabindex="0">${mail.text}</pre></details></section>
`;
}
