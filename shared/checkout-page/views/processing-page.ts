import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { translator } from '../../texts/texts.ts';

/** How the page asks for the result again and again. */
export interface WaitingView {
  /** Whether the result may take days. */
  isSlow: boolean;
  /** The address at which the page asks for the result of the payment. */
  checkAt: string;
}

const pollSeconds = 2;
/** How many seconds the page waits between two requests, if the payment takes days. */
const slowPollSeconds = 60;

/**
 * The page that is shown until the processor has answered. It asks for the result automatically, with and without a
 * script.
 */
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
<p>${t(text)}${isSlow && context.mailsReceipts && html` ${t('underway.mail')}`}</p></div>
<p><a href="${checkAt}">${t('processing.check')}</a></p>
</main>`;
  return layout(context, { title: t(title), main, head });
}
