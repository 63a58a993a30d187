import { withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { brandIcon } from '../pages/assets/icon.ts';
import { languageAttributes } from '../pages/direction.ts';
import { type Html, html } from '../pages/html.ts';
import { functionLabel, labelText } from '../pages/legal-labels.ts';
import { inLanguage, type Locale } from '../pages/locale.ts';
import type { MailSection } from '../pages/mail/mail-parts.ts';
import { documentTranslator } from '../texts/texts.ts';
import { documentStyles } from './built.ts';
import type { Party } from './document-parties.ts';
import type { DocumentCell, DocumentColumn, LabelledValue, ViewTable } from './document-tables.ts';
import type { DocumentView } from './document-view.ts';

/** The addresses of the links on a document's page. */
export interface PageAddresses {
  pdf: string;
  /** The address of the XML. Null if the standard EN 16931 does not support the document. */
  xml: string | null;
  /** The address of the withdrawal function. Null if the merchant has switched it off. */
  withdrawUrl?: string | null;
}

/** A document as a web page, with the same words and amounts as the PDF. */
export function documentPage(view: DocumentView, { pdf, xml, withdrawUrl = null }: PageAddresses): string {
  const t = documentTranslator(view.locale);
  return shell(
    { locale: view.locale, icon: brandIcon({ name: view.brandName, color: null, logo: null, ...view.brand }) },
    `${view.kind} ${view.number}`,
    html`${brandHead(view)}
<h1>${view.kind} <span>${view.number}</span></h1>
<div class="parties">
${party(view.seller)}${party(view.buyer)}${facts(view.facts)}</div>
${table(view.lines)}
<div class="figures">
<div>${view.taxes && table(view.taxes)}</div>
${totals(view.totals)}</div>
${view.reason && html`<section class="notes"><h2>${view.reason.label}</h2><p dir="auto">${view.reason.value}</p></section>`}
${view.notes.length > 0 && html`<div class="notes">${view.notes.map((note) => html`<p dir="auto">${note}</p>`)}</div>`}
${(view.sections ?? []).map(longText)}<p class="download"><a href="${pdf}">${t('download')}</a>${xml && html` · <a href="${xml}">${t('download_xml')}</a>`}</p>
${withdrawLink(withdrawUrl, view.locale)}`,
  );
}

/** The link to the withdrawal function; nothing if the merchant has switched it off. */
const withdrawLink = (url: string | null, locale: Locale): Html =>
  html`${url !== null && html`<p class="download"><a href="${url}">${labelText(functionLabel(locale, ''))}</a></p>`}`;

/**
 * The brand's logo, name and contact, below a bar in its colour. The colour is an attribute, which the content policy
 * allows.
 */
const brandHead = ({ brandName, brand: { color, logo, email, url } }: DocumentView): Html =>
  html`${
    color &&
    html`<svg class="bar" aria-hidden="true" width="100%" height="6"><rect width="100%" height="6" fill="${color}"/></svg>
`
  }<p class="brand" dir="auto">${logo && html`<img src="${logo}" alt="" height="40">`}${brandName}${contactOf(email, url)}</p>`;

const contactOf = (email: string | undefined, url: string | undefined): Html =>
  html`${[email, url].flatMap((line) => (line ? html`<span>${line}</span>` : []))}`;

/**
 * The page that is shown instead of a document. The document does not exist, an error occurred, or its link is being
 * mailed.
 * @param notice.mailAddress the address that mails a link to the document; without it, no link is offered
 * @param notice.withdrawUrl the address of the withdrawal function; by default, the public form, as on other error pages.
 * Null if the merchant has switched it off.
 */
export function documentNotice(
  locale: Locale,
  kind: 'missing' | 'failure' | 'sent' | 'taken' | 'closed',
  {
    merchant,
    mailAddress = null,
    withdrawUrl = inLanguage(withdrawPath, locale),
  }: { merchant: string; mailAddress?: string | null; withdrawUrl?: string | null },
): string {
  const t = documentTranslator(locale);
  const title = t(`${kind}.title`);
  return shell(
    { locale, icon: merchantIcon(merchant) },
    title,
    html`<p class="brand" dir="auto">${merchant}</p>
<h1>${title}</h1>
<p>${t(`${kind}.text`, { merchant })}</p>
${mailAddress && mailOffer(locale, mailAddress)}${withdrawLink(withdrawUrl, locale)}`,
  );
}

/** The form with which a buyer adds a tax id to an invoice. It works without a script. */
export function taxIdForm(locale: Locale, view: TaxIdFormView): string {
  const t = documentTranslator(locale);
  const { merchant, total, token, taxId, businessName, fault, withdrawUrl } = view;
  return shell(
    { locale, icon: merchantIcon(merchant) },
    t('add.title'),
    html`<p class="brand" dir="auto">${merchant}</p>
<h1>${t('add.title')}</h1>
<p>${t('add.text', { merchant, total })}</p>
<form method="post" action="${`?lang=${locale}`}">
<input type="hidden" name="token" value="${token}">
<p id="fault" role="alert">${fault}</p>
<p class="field"><label for="tax_id">${t('add.tax_id')}</label>
<input id="tax_id" name="tax_id" value="${taxId}" required maxlength="40" spellcheck="false" autocapitalize="characters" dir="ltr" aria-describedby="fault${view.example && html` tax_id-hint`}">
${view.example && html`<small id="tax_id-hint">${view.example}</small>`}</p>
<p class="field"><label for="business_name">${t('add.business')}</label>
<input id="business_name" name="business_name" value="${businessName}" required maxlength="250" autocomplete="organization" dir="auto"></p>
<p class="download"><button type="submit">${t('add.submit')}</button></p>
</form>
${withdrawLink(withdrawUrl, locale)}`,
  );
}

/** The data of the form. */
interface TaxIdFormView {
  merchant: string;
  /** The amount of the payment that was not refunded. */
  total: string;
  token: string;
  /** How tax ids of the buyer's country are written; empty if their form is unknown. */
  example: string;
  taxId: string;
  businessName: string;
  fault: string;
  withdrawUrl: string | null;
}

/**
 * The form that requests a link by mail. It posts to the page's address without the secret. That address alone does not
 * open a document.
 */
function mailOffer(locale: Locale, address: string): Html {
  const t = documentTranslator(locale);
  return html`<form method="post" action="${address}"><p>${t('missing.offer')}</p>
<p><button type="submit">${t('missing.mail')}</button></p></form>`;
}

const merchantIcon = (name: string): Html => brandIcon({ name, color: null, logo: null });

const shell = ({ locale, icon }: { locale: Locale; icon: Html }, title: string, main: Html): string =>
  html`<!doctype html>
<html${languageAttributes(locale)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
${icon}
<style>${documentStyles}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.text;

const party = ({ role, name, lines }: Party): Html => html`<section>
<h2>${role}</h2>
<address><strong dir="auto">${name}</strong>${lines.map((line) => html`<br><span dir="auto">${line}</span>`)}</address>
</section>
`;

const facts = (values: readonly LabelledValue[]): Html => html`<dl class="facts">
${values.map(
  ({ label, value }) => html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>
`,
)}</dl>
`;

/**
 * A table. On a phone, each value is shown beside the name of its column. ARIA roles are explicit, because browsers
 * drop them when CSS changes a table's layout. A table that is too wide can be scrolled, also with the keyboard.
 */
const table = ({
  title,
  columns,
  rows,
}: ViewTable): Html => html`<div class="scroll" role="region" aria-label="${title}" tabindex="0">
<table role="table">
<caption>${title}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(head)}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  (row) => html`<tr role="row">${row.map((cell, index) => body(cell, columns[index]))}</tr>
`,
)}</tbody>
</table>
</div>
`;

const head = ({ label, isNumeric }: DocumentColumn): Html =>
  html`<th scope="col" role="columnheader"${isNumeric && html` class="number"`}>${label}</th>`;

function body(cell: DocumentCell, column: DocumentColumn | undefined): Html {
  const texts = cell.map(({ text, isLabel }) => (isLabel ? html`<span class="label">${text}</span>` : html`${text}`));
  return column?.isNumeric
    ? html`<td role="cell" class="number" data-label="${column.label}"><div>${texts}</div></td>`
    : html`<td role="cell" dir="auto">${texts}</td>`;
}

/** A long text with its line breaks. If it is in another language, it is marked as such. */
const longText = ({ title, note, paragraphs, language }: MailSection): Html => html`<section class="notes long">
<h2>${title}</h2>
${note !== undefined && html`<p class="label">${note}</p>`}<div${language !== undefined && languageAttributes(language)}>${paragraphs.map(
  (text) => html`<p dir="auto">${text}</p>
`,
)}</div>
</section>
`;

const totals = (values: DocumentView['totals']): Html => html`<dl class="totals">
${values.map(
  ({ label, value, isTotal }) => html`<div class="${isTotal && 'total'}"><dt>${label}</dt><dd>${value}</dd></div>
`,
)}</dl>
`;
