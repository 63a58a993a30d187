import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { translator } from '../../texts/texts.ts';

/** How the page polls for the result. */
export interface WaitingView {
  /** Whether the result may take days. */
  isSlow: boolean;
  /** The page that polls for the result of the payment. */
  checkAt: string;
}

const pollSeconds = 2;
/** How often the page polls if the payment takes days. */
const slowPollSeconds = 60;

/** The page while the processor has not answered. It polls automatically, with and without a script. */
export function processingPage(context: PageContext, { isSlow, checkAt }: WaitingView): string {
  const t = translator(context.locale);
  const seconds = isSlow ? slowPollSeconds : pollSeconds;
  const texts = isSlow
    ? (['underway.title', 'underway.text'] as const)
    : (['processing.title', 'processing.text'] as const);
  const [title, text] = texts;
  const refresh = `${seconds * 2}; url=${checkAt}`;
  const head: Html = html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`;
  const main = html`<main id="main" class="outcome" hx-get="${checkAt}" hx-trigger="every ${seconds}s" hx-swap="none">
${!isSlow && html`<div class="waiting" aria-hidden="true"></div>`}
<div role="status"><h1>${t(title)}</h1>
<p>${t(text)}</p></div>
<p><a href="${checkAt}">${t('processing.check')}</a></p>
</main>`;
  return layout(context, { title: t(title), main, head });
}
