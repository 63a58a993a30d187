import type { PolicyKind } from '../../domain/catalogue/policies.ts';
import { html } from '../../pages/html.ts';
import { layout, layoutHeaders } from '../../pages/layout.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { translator } from '../../texts/texts.ts';

/** Shows a text of the seller with its line breaks, in its original language. */
export function policyPage(context: PageContext, kind: PolicyKind, text: string) {
  const title = translator(context.locale)(`policy.${kind}`);
  const main = html`<main id="main"><h1>${title}</h1>
<div class="part-of-page policy" dir="auto">${text}</div></main>`;
  return { statusCode: 200, headers: layoutHeaders(context.brand), body: layout(context, { title, main }) };
}
