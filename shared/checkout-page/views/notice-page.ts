import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { translator } from '../../pages/locale.ts';
import type { StringKey } from '../../pages/locales/en.ts';
import type { PageContext } from '../../pages/page-context.ts';

/** Why there is nothing to fill in. */
type NoticeKind = 'expired' | 'exhausted' | 'unpayable' | 'missing' | 'refused' | 'failure';

interface Options {
  /** Back to where the buyer came from. */
  cancelUrl?: string | null;
  /** The checkout, where trying again makes sense. */
  checkoutUrl?: string | undefined;
  /** What support can look for. */
  reference?: string | undefined;
}

/** A page of a few words: what happened, that nothing was charged, and where to go on. */
export function noticePage(context: PageContext, kind: NoticeKind, options: Options = {}): string {
  const t = translator(context.locale);
  const merchant = context.brand.name;
  const title = t(`${kind}.title` as StringKey);
  const main = html`<main id="main" class="outcome">
<h1>${title}</h1>
<p>${t(`${kind}.text` as StringKey, { merchant })}</p>
${options.reference && html`<p class="hint">${t('failure.reference', { reference: options.reference })}</p>`}
${options.checkoutUrl && html`<p><a class="pay" href="${options.checkoutUrl}">${t('reopen')}</a></p>`}
${options.cancelUrl && html`<p><a class="pay" href="${options.cancelUrl}">${t('receipt.return', { merchant })}</a></p>`}
</main>`;
  return layout(context, { title, main });
}

const pollSeconds = 2;

/** The page while the processor has not answered. It asks again automatically, with and without a script. */
export function processingPage(context: PageContext, checkoutUrl: string): string {
  const t = translator(context.locale);
  const head: Html = html`<noscript><meta http-equiv="refresh" content="${pollSeconds * 2}"></noscript>`;
  const main = html`<main id="main" class="outcome" hx-get="${checkoutUrl}" hx-trigger="every ${pollSeconds}s" hx-swap="none">
<div class="waiting" aria-hidden="true"></div>
<div role="status"><h1>${t('processing.title')}</h1>
<p>${t('processing.text')}</p></div>
<p><a href="${checkoutUrl}">${t('processing.check')}</a></p>
</main>`;
  return layout(context, { title: t('processing.title'), main, head });
}
