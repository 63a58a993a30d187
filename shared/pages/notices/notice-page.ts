import { type PageKey, translator } from '../../texts/texts.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import type { PageContext } from '../page-context.ts';

/** The reason why the page has no form. */
type NoticeKind = 'expired' | 'exhausted' | 'unpayable' | 'missing' | 'unavailable' | 'refused' | 'failure';

interface Offer {
  name: string;
  url: string;
}

interface Options {
  /** A link back to the previous site of the buyer. */
  cancelUrl?: string | null;
  /** The products' pages, where a buyer can start again. */
  offers?: readonly Offer[];
  /** The address of the checkout. Set if it makes sense to try again. */
  checkoutUrl?: string | undefined;
  /** An id with which support can find the case. */
  reference?: string | undefined;
}

/** A short page. It says what happened, that nothing was charged, and where the buyer can continue. */
export function noticePage(context: PageContext, kind: NoticeKind, options: Options = {}): string {
  const t = translator(context.locale);
  const merchant = context.brand.name;
  const title = t(`${kind}.title` as PageKey);
  const main = html`<main id="main" class="outcome">
<h1>${title}</h1>
<p>${t(`${kind}.text` as PageKey, { merchant })}</p>
${options.reference && html`<p class="hint">${t('failure.reference', { reference: options.reference })}</p>`}
${options.checkoutUrl && html`<p><a class="pay" href="${options.checkoutUrl}">${t('reopen')}</a></p>`}
${options.offers && waysBack(options.offers, t('expired.again'))}
${options.cancelUrl && html`<p><a class="pay" href="${options.cancelUrl}">${t('receipt.return', { merchant })}</a></p>`}
</main>`;
  return layout(context, { title, main });
}

/** One button, or a list of links if there are several products, because each has its own page. */
function waysBack([offer, ...others]: readonly Offer[], label: string): Html {
  if (!offer) return html``;
  if (others.length === 0) return html`<p><a class="pay" href="${offer.url}">${label}</a></p>`;
  const links = [offer, ...others].map(({ name, url }) => html`<a class="quiet" href="${url}" dir="auto">${name}</a>`);
  return html`<nav class="part-of-page" aria-labelledby="again"><h2 id="again">${label}</h2>${links}</nav>`;
}
