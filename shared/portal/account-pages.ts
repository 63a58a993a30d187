import type { PortalSession } from '../domain/portal/portal-access.ts';
import { portalDataPath, portalKeysPath, portalPath } from '../domain/portal/portal-path.ts';
import { languageAttributes } from '../pages/direction.ts';
import { textField } from '../pages/fields.ts';
import { formatDate } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { inLanguage, type Locale, locales } from '../pages/locale.ts';
import type { PageContext } from '../pages/page-context.ts';
import { pageTexts, portalTranslator, type TranslatePortal } from '../texts/texts.ts';
import type { PortalKey } from '../use-cases/portal/portal-keys.ts';
import { wayBack } from './order-list-page.ts';
import { portalPage } from './sign-in-pages.ts';

/** Links to the list of orders, and to the merchant if the merchant requested the session. */
const backLinks = ({ locale, seller }: PageContext, session: Returning, t: TranslatePortal): Html =>
  html`<p><a class="quiet" href="${inLanguage(portalPath, locale)}">${t('portal.link')}</a></p>
${wayBack(seller.name, session, t)}`;

type Returning = Pick<PortalSession, 'returnUrl'>;

/** The licence keys of the address with their devices. The key of a sale is shown only on the page of its order. */
export function deviceListPage(context: PageContext, session: Returning, keys: readonly PortalKey[]): string {
  const t = portalTranslator(context.locale);
  return portalPage(
    context,
    t('keys.title'),
    html`${keys.length === 0 && html`<p>${t('keys.none')}</p>`}
${keys.map((key) => keyPart(key, context, t))}
${backLinks(context, session, t)}`,
  );
}

function keyPart({ key, name, devices }: PortalKey, { locale }: PageContext, t: TranslatePortal): Html {
  const device = ({
    id,
    name: title,
    createdAt,
  }: PortalKey['devices'][number]) => html`<li><span dir="auto">${title} · ${formatDate(createdAt, locale)}</span>
<form method="post" action="${inLanguage(portalKeysPath, locale)}">
<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="device" value="${id}">
<button class="quiet">${t('keys.end')}<span class="visually-hidden" dir="auto"> (${title})</span></button>
</form></li>
`;
  return html`<article class="part-of-page delivery" aria-labelledby="key-${key.id}">
<h2 id="key-${key.id}" dir="auto">${name ?? html`<code class="key" dir="ltr">${key.key}</code>`}</h2>
${devices.length === 0 ? html`<p class="hint">${t('keys.unused')}</p>` : html`<ul class="recap">${devices.map(device)}</ul>`}
</article>
`;
}

const languageField = (chosen: Locale, t: TranslatePortal): Html => html`<div class="field">
<label for="mail-language">${t('field.language')}</label>
<select id="mail-language" name="language">
${locales.map((locale) => html`<option value="${locale}"${languageAttributes(locale)}${locale === chosen && html` selected`}>${pageTexts[locale].language}</option>`)}
</select>
</div>
`;

export interface BuyerDataView {
  name: string;
  /** The language of mails to the buyer. */
  language: Locale;
  isSaved: boolean;
  fault: 'missing' | 'invalid' | undefined;
  /** The day by which the merchant must answer, if the buyer has just requested an erasure. */
  answeredBy: string | undefined;
}

/** The page of the buyer's data: the name, a file with everything that is stored, and the request for erasure. */
export function dataPage(
  context: PageContext,
  session: Pick<PortalSession, 'email' | 'returnUrl'>,
  { name, language, isSaved, fault, answeredBy }: BuyerDataView,
): string {
  const { locale, seller } = context;
  const t = portalTranslator(locale);
  const merchant = seller.name;
  const form = (content: Html) => html`<section class="part-of-page">
<form method="post" action="${inLanguage(portalDataPath, locale)}" novalidate>
${content}
</form>
</section>
`;
  const nameField = textField({
    id: 'name',
    name: 'name',
    label: t('field.name'),
    value: name,
    autocomplete: 'name',
    maxLength: 250,
    isRequired: true,
    fault: fault && t(`fault.name.${fault}`),
  });
  const request = answeredBy
    ? html`<p role="status">${t('erase.done', { merchant, date: formatDate(answeredBy, locale) })}</p>`
    : html`<p>${t('erase.text', { merchant })}</p>
<button class="quiet" name="step" value="erase">${t('erase.button')}</button>`;
  return portalPage(
    context,
    t('data.title'),
    html`<p>${t('signed_in', { email: session.email })}</p>
${isSaved && html`<p role="status">${t('data.saved')}</p>`}
${form(html`${nameField}${languageField(language, t)}<button class="quiet" name="step" value="name">${t('data.save')}</button>`)}
${form(html`<p>${t('data.text', { merchant })}</p>
<button class="quiet" name="step" value="file">${t('data.file')}</button>`)}
${form(html`<h2>${t('erase.title')}</h2>
${request}`)}
${backLinks(context, session, t)}`,
  );
}
