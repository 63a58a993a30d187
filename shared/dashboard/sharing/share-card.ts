import type { Product } from '../../domain/catalogue/product.ts';
import { exampleAmount } from '../../pages/amount-input.ts';
import { option, textField } from '../../pages/fields.ts';
import { pageHeaders } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import { locales } from '../../pages/locale.ts';
import { dashboardTexts, pageTexts, type TextKey } from '../../texts/texts.ts';
import type { Frame } from '../frame.ts';
import { copyField } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { type LinkChoice, linkFieldName, productLink, type Shared } from './link-choice.ts';
import { qrCode } from './qr-code.ts';

interface SharedProduct extends Shared {
  product: Product;
}

const fileName = 'file';
const qrFile = 'qr';

/** Whether the request is for the QR code as a file. */
export const wantsQrFile = ({ query }: { query: (name: string) => string | undefined }): boolean =>
  query(fileName) === qrFile;

/** The QR code of a link, as a file for printing. */
export function qrFileAnswer(shared: SharedProduct) {
  const { product } = shared;
  const headers = {
    ...pageHeaders(),
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-disposition': `attachment; filename="qr-${product.id}.svg"`,
  };
  return { statusCode: 200, headers, body: qrCode(productLink(shared).url, product.name).text };
}

/**
 * The card with ways to a product: its link, a button for other sites, and a QR code. All contain the chosen
 * parameters.
 */
export function shareCard(frame: Frame, shared: SharedProduct): Html {
  const { product, choice } = shared;
  const t = textsOf(dashboardTexts('offer'), frame);
  const { url, faults } = productLink(shared);
  const copyWords = t;
  return html`<section class="card" id="share" aria-labelledby="share-title" lang="${frame.locale}"><h2 id="share-title">${t('share')}</h2>
${copyField('link', t('share.link'), url, copyWords)}
<p class="hint">${t('share.link.hint')}</p>
${copyField('embed', t('share.embed'), embedCode(product, url), copyWords)}
<p class="hint">${t('share.embed.hint')}</p>
<details${(faults.length > 0 || Object.values(choice).some(Boolean)) && html` open`}><summary>${t('share.carries')}</summary>
${choiceForm(shared, faults, t)}</details>
<details><summary>${t('share.qr')}</summary>
<p>${qrCode(url, t('share.qr.label'))}</p>
<p><a class="button second" href="${qrAddress(shared)}" download>${t('share.qr.download')}</a></p></details></section>`;
}

/**
 * HTML of a link that looks like a button on other sites. It needs no script. If a site's policy blocks its style, it
 * is still a link.
 */
const embedCode = ({ name }: Product, url: string): string =>
  html`<a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b5c58;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none">${name}</a>`
    .text;

const pathOf = ({ id }: Product): string => `/dashboard/products/${id}`;

function qrAddress({ product, choice }: SharedProduct): string {
  const fields = (Object.keys(choice) as (keyof LinkChoice)[]).filter((field) => choice[field] !== '');
  const kept = fields.map((field): [string, string] => [linkFieldName(field), choice[field]]);
  return `${pathOf(product)}?${new URLSearchParams([[fileName, qrFile], ...kept])}`;
}

function choiceForm(
  { product, choice, locale: written }: SharedProduct,
  faults: readonly (keyof LinkChoice)[],
  t: Texts<TextKey<'offer'>>,
): Html {
  const entry = (field: 'quantity' | 'amount' | 'discount') => {
    const id = linkFieldName(field);
    const fault = faults.includes(field)
      ? t(`share.${field}.fault` as TextKey<'offer'>, { example: exampleAmount(product.price.currency, written) })
      : undefined;
    return textField({
      id,
      name: id,
      label: t(`share.${field}`),
      value: choice[field],
      maxLength: 40,
      isCode: true,
      fault,
    });
  };
  const language = linkFieldName('language');
  return html`<form method="get" action="${pathOf(product)}#share">
<div class="pair">${entry('quantity')}${product.price.kind === 'fixed' ? '' : entry('amount')}${entry('discount')}
<div class="field"><label for="${language}">${t('language.label')}</label>
<select id="${language}" name="${language}">${option('', t('share.language.any'), choice.language === '')}${locales.map((locale) => option(locale, pageTexts[locale].language, locale === choice.language))}</select></div></div>
<p class="submit"><button class="second">${t('share.apply')}</button></p>
</form>`;
}
