import { downloadPath, type GrantedFile } from '../../domain/entitlements/download-link.ts';
import { formatSize } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { inLanguage } from '../../pages/locale.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { downloadTranslator } from '../../texts/texts.ts';

/** A file that a button downloads. */
export interface DownloadButton extends GrantedFile {
  token: string;
  name: string;
  size: number;
}

/** The page with one button. Opening it downloads nothing, so mail programs that open links do not count. */
export function downloadPage(context: PageContext, file: DownloadButton): string {
  const t = downloadTranslator(context.locale);
  const main = html`<main id="main" class="outcome">
<h1 dir="auto">${file.name}</h1>
<p>${t('from', { merchant: context.brand.name })}</p>
<form method="post" action="${inLanguage(downloadPath(file), context.locale)}">
<input type="hidden" name="token" value="${file.token}">
<button class="pay">${t('title')} (${formatSize(file.size, context.locale)})</button>
</form>
<p class="hint">${t('again')}</p>
</main>`;
  return layout(context, { title: t('title'), main });
}

/** Why a link does not give the file. */
export type DownloadNotice = 'closed' | 'outdated' | 'ended' | 'used_up' | 'often' | 'early';

/**
 * A page that says why there is no file. `next` is the page of the order for an expired link, or the same page if the
 * file can be opened in a moment.
 */
export function downloadNotice(context: PageContext, notice: DownloadNotice, next?: string): string {
  const t = downloadTranslator(context.locale);
  const title = t(`${notice}.title`);
  const main = html`<main id="main" class="outcome">
<h1>${title}</h1>
<p>${t(`${notice}.text`, { merchant: context.brand.name })}</p>
${next && html`<p><a class="pay" href="${next}">${t(notice === 'early' ? 'look_again' : 'order')}</a></p>`}
</main>`;
  return layout(context, { title, main });
}

/** The page that is shown if our service has failed. */
export function failedDownload(context: PageContext, reference: string): string {
  const t = downloadTranslator(context.locale);
  const main = html`<main id="main" class="outcome">
<h1>${t('failure.title')}</h1>
<p class="hint">${t('failure.reference', { reference })}</p>
</main>`;
  return layout(context, { title: t('failure.title'), main });
}
