import { maskedEmail } from '../domain/customers/masked-email.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { declarationLimits } from '../domain/withdrawal/declaration.ts';
import { orderWithdrawPath, proofPath, withdrawPath } from '../domain/withdrawal/proof-link.ts';
import type { Withdrawal } from '../domain/withdrawal/withdrawal-case.ts';
import { textField } from '../pages/fields.ts';
import { formatDate, formatTime } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { layout } from '../pages/layout.ts';
import { confirmLabel, functionLabel, labelText } from '../pages/legal-labels.ts';
import { inLanguage } from '../pages/locale.ts';
import type { PageContext } from '../pages/page-context.ts';
import { type TranslateWithdraw, withdrawTranslator } from '../texts/texts.ts';

/** What a guest typed, and what is wrong with it. */
export interface TypedDeclaration {
  name: string;
  reference: string;
  email: string;
}

export type DeclarationFault = 'missing' | 'invalid';
export type DeclarationFaults = Partial<Record<keyof TypedDeclaration, DeclarationFault>>;

interface GuestForm {
  typed: TypedDeclaration;
  faults: DeclarationFaults;
}

const titleOf = ({ locale }: PageContext): string => functionLabel(locale, '').words;

const heading = ({ locale }: PageContext): Html => html`<h1>${labelText(functionLabel(locale, ''))}</h1>`;

const page = (context: PageContext, title: string, content: Html): string =>
  layout(context, {
    title,
    main: html`<main id="main" class="outcome">
${content}
</main>`,
  });

/**
 * The first step of the public form. It asks for the name, the contract, and the address for the acknowledgement. It
 * asks for nothing else.
 */
export function guestPage(context: PageContext, { typed, faults }: GuestForm): string {
  const t = withdrawTranslator(context.locale);
  const field = (id: keyof TypedDeclaration, more: { hint?: string; autocomplete?: string; type?: 'email' }) => {
    const fault = faults[id];
    return textField({
      id,
      name: id,
      label: t(id),
      value: typed[id],
      maxLength: declarationLimits[id],
      isRequired: true,
      fault: fault && t(fault),
      ...more,
    });
  };
  return page(
    context,
    titleOf(context),
    html`${heading(context)}
<p>${t('intro', { merchant: context.brand.name })}</p>
<form class="part-of-page" method="post" action="${inLanguage(withdrawPath, context.locale)}">
${field('name', { autocomplete: 'name' })}
${field('reference', { hint: t('reference.hint') })}
${field('email', { hint: t('email.hint'), autocomplete: 'email', type: 'email' })}
<button class="pay" name="step" value="check">${t('next')}</button>
</form>`,
  );
}

/** The second step. It shows what is declared, with a button that has only the words of the law. */
export function confirmPage(context: PageContext, typed: TypedDeclaration, formToken: string): string {
  const t = withdrawTranslator(context.locale);
  const hidden = Object.entries({ ...typed, form_token: formToken }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return page(
    context,
    titleOf(context),
    html`${heading(context)}
<p>${t('check')}</p>
<p>${t('declares', { merchant: context.seller.name })}</p>
${contentOf(typed, t)}
<form method="post" action="${inLanguage(withdrawPath, context.locale)}">
${hidden}<button class="pay" name="step" value="confirm">${confirmLabel(context.locale)}</button>
<p><button class="quiet" name="step" value="change">${t('change')}</button></p>
</form>`,
  );
}

const contentOf = ({ name, reference, email }: TypedDeclaration, t: TranslateWithdraw): Html => html`<dl class="facts">
<div><dt>${t('name')}</dt><dd dir="auto">${name}</dd></div>
<div><dt>${t('reference')}</dt><dd dir="auto">${reference}</dd></div>
<div><dt>${t('email')}</dt><dd dir="ltr">${email}</dd></div>
</dl>`;

/**
 * The page for the buyer of an order. The secret link proves who the buyer is, so there is nothing to type. A link may
 * be forwarded, so the page shows no name and only a masked address.
 */
export function orderWithdrawPage(
  context: PageContext,
  payment: Payment,
  { formToken, isMissing }: { formToken: string; isMissing: boolean },
): string {
  const t = withdrawTranslator(context.locale);
  const { lines, customer, createdAt, id } = payment;
  const box = ({ name }: Payment['lines'][number], index: number) =>
    html`<div class="consent"><input type="checkbox" id="line-${index}" name="line" value="${index}" checked><label for="line-${index}" dir="auto">${name}</label></div>
`;
  const [only] = lines;
  return page(
    context,
    titleOf(context),
    html`${heading(context)}
<p>${t('declares', { merchant: context.seller.name })}</p>
<form method="post" action="${inLanguage(orderWithdrawPath(id), context.locale)}">
<input type="hidden" name="form_token" value="${formToken}">
${
  lines.length > 1
    ? html`<fieldset class="consents"><legend>${t('lines')}</legend>
${isMissing && html`<p class="fault">${t('lines.missing')}</p>`}
${lines.map(box)}</fieldset>`
    : html`<p><strong dir="auto">${only?.name}</strong></p>`
}
<dl class="facts">
<div><dt>${t('ordered')}</dt><dd>${formatDate(createdAt, context.locale)}</dd></div>
<div><dt>${t('order')}</dt><dd><code dir="ltr">${id}</code></dd></div>
${customer.email !== '' && html`<div><dt>${t('email.hint')}</dt><dd dir="ltr">${maskedEmail(customer.email)}</dd></div>`}
</dl>
<button class="pay" name="step" value="confirm">${confirmLabel(context.locale)}</button>
</form>`,
  );
}

/** The page after a declaration. It shows what arrived and when. Its words are the same if no order was found. */
export function declaredPage(
  context: PageContext,
  { declaration: { receivedAt, name, reference, email } }: Withdrawal,
  { sendsMail, isTyped }: { sendsMail: boolean; isTyped: boolean },
): string {
  const t = withdrawTranslator(context.locale);
  const shown = isTyped ? { name, reference, email } : { name: '', reference, email: maskedEmail(email) };
  return page(
    context,
    t('done.title'),
    html`<h1>${t('done.title')}</h1>
<p role="status">${t('done.text', receiptMoment(receivedAt, context))}</p>
<p>${sendsMail ? t('done.mail', { email: shown.email }) : t('done.keep')}</p>
${isTyped ? contentOf(shown, t) : html`<dl class="facts"><div><dt>${t('order')}</dt><dd><code dir="ltr">${reference}</code></dd></div></dl>`}
<p class="hint">${t('done.next', { merchant: context.brand.name })}</p>`,
  );
}

const receiptMoment = (at: string, { locale }: Pick<PageContext, 'locale'>): { date: string; time: string } => ({
  date: formatDate(at, locale),
  time: formatTime(at),
});

/**
 * The page of a link that was mailed to confirm a declaration. Only its button confirms, because mail programs open
 * links.
 */
export function proofPage(
  context: PageContext,
  { declaration: { id, receivedAt } }: Withdrawal,
  { token, isProven }: { token: string; isProven: boolean },
): string {
  const t = withdrawTranslator(context.locale);
  const title = t(isProven ? 'proof.done' : 'proof.title');
  const content = isProven
    ? html`<p role="status">${t('proof.thanks', { merchant: context.brand.name })}</p>`
    : html`<p>${t('proof.text', { ...receiptMoment(receivedAt, context), merchant: context.brand.name })}</p>
<form method="post" action="${inLanguage(proofPath, context.locale)}">
<input type="hidden" name="id" value="${id}">
<input type="hidden" name="token" value="${token}">
<button class="pay">${t('proof.button')}</button>
</form>
<p class="hint">${t('proof.else')}</p>`;
  return page(
    context,
    title,
    html`<h1>${title}</h1>
${content}`,
  );
}
