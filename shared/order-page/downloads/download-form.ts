import { downloadPath, type GrantedFile } from '../../domain/entitlements/download-link.ts';
import { formatSize } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { inLanguage, type Locale } from '../../pages/locale.ts';
import type { TranslateOrder } from '../../texts/texts.ts';

/** A file on the order page, with the token that its button sends. */
interface OfferedFile extends GrantedFile {
  token: string;
  name: string;
  size: number | null;
}

/** The button that downloads a file. Only pressing it counts as a download. */
export const downloadForm = ({ token, name, size, ...file }: OfferedFile, locale: Locale, t: TranslateOrder): Html =>
  html`<form method="post" action="${inLanguage(downloadPath(file), locale)}">
<input type="hidden" name="token" value="${token}">
<button class="pay"><span>${t('download')} <bdi>${name}</bdi>${size !== null && html` (${formatSize(size, locale)})`}</span></button>
</form>`;
