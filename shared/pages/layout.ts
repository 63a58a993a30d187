import { portalPath } from '../domain/portal/portal-path.ts';
import { withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { pageTexts, translator } from '../texts/texts.ts';
import { brandStylesheetName, checkoutStylesHash, script } from './assets/asset.ts';
import { checkoutStyles } from './assets/built.ts';
import { brandIcon, initialOf } from './assets/icon.ts';
import { languageAttributes } from './direction.ts';
import { type PageNeeds, pageHeaders } from './headers.ts';
import { type Html, html } from './html.ts';
import { functionLabel, labelText } from './legal-labels.ts';
import { inLanguage, locales } from './locale.ts';
import type { PageBrand, PageContext } from './page-context.ts';

interface Content {
  title: string;
  main: Html;
  head?: Html | undefined;
  /** Whether search engines may list the page. */
  isPublic?: boolean;
  /** Whether the page may have two columns on wide screens. */
  isWide?: boolean;
  /** A language chooser that is inside another form. By default, the page has a form only for the language. */
  languages?: Html;
}

/**
 * The headers of a page with this layout. The policy allows its inline style and icon, and the brand's stylesheet if
 * the brand has a colour.
 */
export const layoutHeaders = (
  { color, logo }: PageBrand,
  { images = [], ...needs }: PageNeeds = {},
): Record<string, string> =>
  pageHeaders({
    ...needs,
    images: [logo, ...images],
    styles: color ? [checkoutStylesHash, "'self'"] : [checkoutStylesHash],
    hasInlineIcon: true,
  });

/** The document around the content of a page: the brand above it, and the seller and the languages below it. */
export function layout(
  context: PageContext,
  { title, main, head, isPublic = false, isWide = false, languages = languageForm(context) }: Content,
): string {
  const document = html`<!doctype html>
<html${languageAttributes(context.locale)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${(!isPublic || context.isSandbox) && html`<meta name="robots" content="noindex, nofollow">`}
<title>${title} · ${context.brand.name}</title>
${
  !context.isFragment &&
  html`${brandIcon(context.brand)}
<style>${checkoutStyles}</style>`
}
${context.brand.color && html`<link rel="stylesheet" href="/assets/${brandStylesheetName(context.brand.color)}">`}
<meta name="htmx-config" content='{"includeIndicatorCSS":false,"history":false,"noSwap":["204","304","4xx","5xx"]}'>
<script defer src="/assets/${script.name}"></script>
${head}
</head>
<body${isWide && html` class="wide"`}>
<header>${sandboxStrip(context)}
${masthead(context)}
</header>
<div class="column">
${main}
${footer(context, languages)}
</div>
</body>
</html>
`;
  return document.text;
}

function sandboxStrip({ isSandbox, locale }: PageContext): Html {
  return isSandbox ? html`<p class="sandbox">${translator(locale)('sandbox.notice')}</p>` : html``;
}

const masthead = ({ brand }: PageContext): Html => html`<div class="masthead">
${brand.logo ? html`<img class="logo" src="${brand.logo}" alt="" height="32">` : html`<span class="monogram" aria-hidden="true">${initialOf(brand.name)}</span>`}<span dir="auto">${brand.name}</span>
</div>`;

function footer(
  { brand, seller, policies = [], locale, withdrawUrl = withdrawPath }: PageContext,
  languages: Html,
): Html {
  const soldBy = translator(locale)('seller.soldBy', { seller: [seller.name, ...seller.address].join(', ') });
  const [before = '', after = ''] = translator(locale)('help.contact').split('{email}');
  const { supportEmail } = brand;
  return html`<footer class="footer">
<p dir="auto">${soldBy}</p>
${supportEmail && html`<p>${before}<a href="mailto:${supportEmail}" dir="ltr">${supportEmail}</a>${after}</p>`}
${seller.phone && html`<p>${translator(locale)('help.phone')} <a href="tel:${seller.phone.replace(/[^+\d]/g, '')}" dir="ltr">${seller.phone}</a></p>`}
${policies.length > 0 && html`<p class="policies">${policies.map((kind) => html`<a href="${inLanguage(`/policies/${kind}`, locale)}" target="_blank" rel="noopener">${translator(locale)(`policy.${kind}`)}</a> `)}</p>`}
${withdrawUrl !== null && html`<p><a href="${inLanguage(withdrawUrl, locale)}">${labelText(functionLabel(locale, ''))}</a></p>`}
<p><a href="${inLanguage(portalPath, locale)}">${translator(locale)('portal.link')}</a></p>
${languages}
</footer>`;
}

/** A form that only chooses the language. The parameters in `kept` stay in the address. */
export function languageForm({ locale }: PageContext, kept: Readonly<Record<string, string>> = {}): Html {
  const t = translator(locale);
  return html`<form class="languages" method="get">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="language">${t('language.label')}</label>
${languageSelect(locale, html` name="lang"`)}
<button class="quiet unscripted">${t('language.change')}</button>
</form>`;
}

/** The list of languages. Each has the name that it uses for itself. */
export const languageSelect = (chosen: string, attributes: Html): Html => html`<select id="language"${attributes}>
${locales.map(
  (
    locale,
  ) => html`<option value="${locale}"${languageAttributes(locale)}${locale === chosen && html` selected`}>${pageTexts[locale].language}</option>
`,
)}</select>`;
