import { portalLinkPath, portalPath } from '../domain/portal/portal-path.ts';
import { textField } from '../pages/fields.ts';
import { type Html, html } from '../pages/html.ts';
import { languageForm, layout } from '../pages/layout.ts';
import { inLanguage } from '../pages/locale.ts';
import { patience } from '../pages/notices/patience.ts';
import type { PageContext } from '../pages/page-context.ts';
import { portalTranslator } from '../texts/texts.ts';

export const portalPage = (context: PageContext, title: string, content: Html, languages?: Html): string =>
  layout(context, {
    title,
    main: html`<main id="main" class="outcome">
<h1>${title}</h1>
${content}
</main>`,
    ...(languages && { languages }),
  });

/**
 * The page that asks for the e-mail address. If the shop has no sender's address, the page says that it cannot send
 * links.
 */
export function askPage(
  context: PageContext,
  { typed, fault, isEnded }: { typed: string; fault: 'missing' | 'invalid' | undefined; isEnded: boolean },
  sendsMail: boolean,
): string {
  const t = portalTranslator(context.locale);
  const merchant = context.seller.name;
  const form = html`<p>${t('intro', { merchant })}</p>
<form method="post" action="${inLanguage(portalPath, context.locale)}" novalidate>
${textField({
  id: 'email',
  name: 'email',
  label: t('field.email'),
  value: typed,
  type: 'email',
  autocomplete: 'email',
  maxLength: 254,
  isRequired: true,
  fault: fault && t(`fault.email.${fault}`),
})}
<button class="pay" name="step" value="link"${patience(context.locale)}>${t('send')}</button>
</form>`;
  return portalPage(
    context,
    t('portal.link'),
    html`${isEnded && html`<p role="status">${t('end.done')}</p>`}${sendsMail ? form : html`<p>${t('no_mail', { merchant })}</p>`}`,
  );
}

/** The page after a link was requested. It is the same for every address. */
export function sentPage(context: PageContext): string {
  const t = portalTranslator(context.locale);
  return portalPage(
    context,
    t('sent.title'),
    html`<p role="status">${t('sent.text')}</p>
<p class="hint">${t('sent.again', { merchant: context.seller.name })}</p>
<p><a class="quiet" href="${inLanguage(portalPath, context.locale)}">${t('again')}</a></p>`,
  );
}

/** The page of a link. Only its button uses up the link, because mail programs open links. */
export function linkPage(context: PageContext, token: string): string {
  const t = portalTranslator(context.locale);
  return portalPage(
    context,
    t('open.title'),
    html`<p>${t('open.text')}</p>
<form method="post" action="${inLanguage(portalLinkPath, context.locale)}">
<input type="hidden" name="token" value="${token}">
<button class="pay">${t('open.button')}</button>
</form>`,
    languageForm(context, { token }),
  );
}

/** The page that says why a link does not work. */
export function linkRefusedPage(context: PageContext, why: 'over' | 'elsewhere'): string {
  const t = portalTranslator(context.locale);
  return portalPage(
    context,
    t(`${why}.title`),
    html`<p role="alert">${t(`${why}.text`)}</p>
<p><a class="quiet" href="${inLanguage(portalPath, context.locale)}">${t('again')}</a></p>`,
  );
}

/** The page for a request that cannot be answered. It does not say whether the requested thing exists. */
export function portalRefusedPage(context: PageContext, { isOften }: { isOften: boolean }): string {
  const t = portalTranslator(context.locale);
  return portalPage(
    context,
    t('failure.title'),
    html`<p role="alert">${t(isOften ? 'often' : 'retry')}</p>
<p><a class="quiet" href="${inLanguage(portalPath, context.locale)}">${t('portal.link')}</a></p>`,
  );
}
