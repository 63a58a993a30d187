import type { SessionLine } from '../domain/checkout/checkout-session.ts';
import { downloadPath } from '../domain/entitlements/download-link.ts';
import { formatSize } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { inLanguage, type Locale } from '../pages/locale.ts';
import { downloadTranslator, type TranslateOrder } from '../texts/texts.ts';
import type { DownloadButton } from './downloads/download-page.ts';

/** One thing that a line gives its buyer: files, a text and an address. */
export interface Given {
  url: string | null;
  instructions: string | null;
  files?: readonly DownloadButton[];
}

/** A line of the order, and what it gives. */
export interface GivingLine {
  name: string;
  gives: readonly Given[];
}

/** What a line gives, as its checkout session froze it. */
export const givenBy = (sold: Pick<SessionLine, 'delivery'> | undefined): Given[] =>
  sold?.delivery ? [sold.delivery] : [];

/** Everything that a line gives, below its name. Screen readers hear the name with each link. */
export const givenParts = ({ name, gives }: GivingLine, t: TranslateOrder, locale: Locale): Html =>
  html`${gives.map(
    ({ url, instructions, files = [] }) =>
      html`${files.map((file) => downloadForm(file, locale))}${
        instructions &&
        html`<p class="prose" dir="auto">${instructions}</p>
`
      }${
        url &&
        html`<p><a class="pay" href="${url}" rel="noopener noreferrer" target="_blank">${t('open')}<span class="visually-hidden" dir="auto"> (${name})</span></a></p>
`
      }`,
  )}`;

/** The button of one file. Only pressing it gives the file out. */
const downloadForm = (
  file: DownloadButton,
  locale: Locale,
): Html => html`<form method="post" action="${inLanguage(downloadPath(file), locale)}">
<p dir="auto">${file.name}</p>
<input type="hidden" name="token" value="${file.token}">
<button class="pay">${downloadTranslator(locale)('title')} (${formatSize(file.size, locale)})<span class="visually-hidden" dir="auto"> ${file.name}</span></button>
</form>
`;
