import type { PolicyKind } from '../../domain/catalogue/policies.ts';
import { languageAttributes } from '../../pages/direction.ts';
import { formatDate, formatLanguage } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { layout, layoutHeaders } from '../../pages/layout.ts';
import { inLanguage } from '../../pages/locale.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { policyTranslator } from '../../texts/texts.ts';

export interface ShownPolicy {
  kind: PolicyKind;
  language: string;
  text: string;
  /** When the version was published; absent if the page shows the current one. */
  publishedAt?: string;
}

/** Shows a text of the seller with its line breaks. If it is not in the reader's language, the page says so. */
export function policyPage(context: PageContext, { kind, language, text, publishedAt }: ShownPolicy) {
  const { locale } = context;
  const t = policyTranslator(locale);
  const title = t(`policy.${kind}`);
  const main = html`<main id="main"><h1>${title}</h1>
${publishedAt && html`<p class="hint">${t('version', { date: formatDate(publishedAt, locale) })} <a href="${inLanguage(`/policies/${kind}`, locale)}">${t('current')}</a></p>`}
${language !== locale && html`<p class="hint">${t('language', { language: formatLanguage(language, locale) })}</p>`}
<div class="part-of-page policy"${languageAttributes(language)}>${text}</div></main>`;
  return { statusCode: 200, headers: layoutHeaders(context.brand), body: layout(context, { title, main }) };
}
