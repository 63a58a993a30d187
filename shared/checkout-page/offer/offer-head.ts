import { leastOf, type Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { decimalOf } from '../../pages/format.ts';
import { dataScript, type Html, html } from '../../pages/html.ts';
import { inLanguage, type Locale, locales } from '../../pages/locale.ts';
import type { PageContext } from '../../pages/page-context.ts';

interface Offered {
  product: Product;
  publicUrl: string;
  /** The price that the page shows. */
  offer: { price: Price };
  /** The language in the page's address; undefined if there is none. */
  language: Locale | undefined;
}

/** The data of a link's preview for chats (Open Graph) and for search engines (schema.org). */
export function offerHead({ brand }: PageContext, { product, publicUrl, offer: { price }, language }: Offered): Html {
  const { id, name, description, image } = product;
  const url = `${publicUrl}/buy/${id}`;
  const properties = [
    ['og:type', 'product'],
    ['og:title', name],
    ['og:description', description],
    ['og:site_name', brand.name],
    ['og:url', url],
    ...(image ? [['og:image', image]] : []),
    ['product:price:amount', decimalOf(leastOf(price), price.currency)],
    ['product:price:currency', price.currency],
  ] as const;
  const data = {
    ...{ '@context': 'https://schema.org', '@type': 'Product', name, description, ...(image && { image }) },
    brand: { '@type': 'Brand', name: brand.name },
    offers: { ...offerOf(price), url, availability: 'https://schema.org/InStock' },
  };
  return html`<link rel="canonical" href="${language ? inLanguage(url, language) : url}">
${brand.searchListing !== false && inEveryLanguage(url)}
<meta name="description" content="${description}">
<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">
${properties.map(
  ([property, content]) => html`<meta property="${property}" content="${content}">
`,
)}${dataScript('application/ld+json', data)}`;
}

/** The same page in each language, for search engines. Each names itself as canonical, without which it is not listed. */
const inEveryLanguage = (url: string): Html => html`<link rel="alternate" hreflang="x-default" href="${url}">
${locales.map(
  (locale) => html`<link rel="alternate" hreflang="${locale}" href="${inLanguage(url, locale)}">
`,
)}`;

function offerOf(price: Price): object {
  const { currency: priceCurrency } = price;
  const amount = (minorUnits: number) => decimalOf(minorUnits, priceCurrency);
  if (price.kind === 'fixed') return { '@type': 'Offer', priceCurrency, price: amount(price.unitAmount) };
  const highest = price.maximum === null ? {} : { highPrice: amount(price.maximum) };
  return { '@type': 'AggregateOffer', priceCurrency, lowPrice: amount(leastOf(price)), ...highest };
}
