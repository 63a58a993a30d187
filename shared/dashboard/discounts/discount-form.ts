import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { type Discount, eligibilities } from '../../domain/discounts/discount.ts';
import { currencies } from '../../domain/money/currency.ts';
import { describedBy, faultOf, hintOf, option, type TextField, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { type DiscountsKey, discountsTexts } from '../../texts/texts.ts';
import { type Frame, may } from '../frame.ts';
import { checkBox, choices, type FormFault, formKeys, messageAt } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { CurrencyRow, DiscountDraft } from './discount-draft.ts';
import { discountsHome } from './discount-list-page.ts';

export interface DiscountFormView {
  /** Null for a new code. */
  discount: Discount | null;
  draft: DiscountDraft;
  faults: readonly FormFault[];
  /** The products to choose from: the newest, and those that the code has. */
  products: readonly Pick<Product, 'id' | 'name'>[];
  /** Whether there are more. */
  hasMoreProducts: boolean;
}

interface Shown extends DiscountFormView {
  t: Texts<DiscountsKey>;
}

/** The terms of a code: few fields first, the rest folded until it is needed. */
export function discountForm(frame: Frame, view: DiscountFormView): Html {
  const t = textsOf(discountsTexts, frame);
  const shown = { ...view, t };
  const { discount } = view;
  const isLocked = !may(frame, dashboardCommands.discounts.save);
  return html`<form method="post" action="${discountsHome}${discount && `/${discount.id}`}" novalidate>${formKeys(frame)}
<fieldset class="card"${isLocked && html` disabled`}><legend class="visually-hidden">${t('form.title')}</legend><h2>${t('form.title')}</h2>
${firstFields(shown)}
${currencyFold(shown, 'flat')}
${currencyFold(shown, 'cap')}
${productFold(shown)}
${limitFold(shown)}
${!isLocked && html`<p class="submit"><button class="main" name="action" value="save">${t(discount ? 'button.save' : 'button.create')}</button>${discount && html`<span class="hint">${t('form.changed')}</span>`}</p>`}
</fieldset></form>`;
}

type DraftText = 'code' | 'name' | 'percent' | 'usageLimit' | 'perCustomer';

const input = (
  { draft, faults, t }: Shown,
  { id, of, label, hint }: { id: string; of: DraftText; label: DiscountsKey; hint: DiscountsKey },
  more: Partial<TextField> = {},
): Html =>
  textField({
    ...{ id, name: id, label: t(label), hint: t(hint), value: draft[of], fault: messageAt(faults, id), maxLength: 40 },
    ...more,
  });

function firstFields(shown: Shown): Html {
  const { discount, draft, t } = shown;
  const code = discount ? ('field.code.known' as const) : ('field.code' as const);
  const [first] = draft.flat;
  return html`${input(shown, { id: 'code', of: 'code', label: code, hint: `${code}.hint` }, { isCode: true, maxLength: 16 })}
${choices('type', t('field.type'), draft.type, [
  { value: 'percentage', label: t('type.percentage'), hint: t('type.percentage.hint') },
  { value: 'flat', label: t('type.flat'), hint: t('type.flat.hint') },
])}
<div class="when-percentage">${input(shown, { id: 'percent', of: 'percent', label: 'field.percent', hint: 'field.percent.hint' })}</div>
<div class="when-flat pair">${first && [currencyField(shown, 'flat', 0, first), amountField(shown, 'flat', 0, first)]}</div>`;
}

function currencyField({ faults, t }: Shown, kind: 'flat' | 'cap', index: number, { currency }: CurrencyRow): Html {
  const id = `${kind}_currency_${index}`;
  const fault = messageAt(faults, id);
  return html`<div class="field"><label for="${id}">${t('field.currency')}</label><select id="${id}" name="${id}"${describedBy({ id, fault })}>${option('', t('currency.none'), currency === '')}${currencies.map((code) => option(code, code, code === currency))}</select>${faultOf(id, fault)}</div>`;
}

function amountField({ faults, t }: Shown, kind: 'flat' | 'cap', index: number, { amount }: CurrencyRow): Html {
  const id = `${kind}_amount_${index}`;
  const label = t(kind === 'flat' ? 'field.amount' : 'field.cap');
  return textField({ id, name: id, label, value: amount, isCode: true, maxLength: 40, fault: messageAt(faults, id) });
}

function minimumField({ faults, t }: Shown, kind: 'flat' | 'cap', index: number, { minimum }: CurrencyRow): Html {
  const id = `${kind}_minimum_${index}`;
  const field = { id, name: id, label: t('field.minimum'), value: minimum, fault: messageAt(faults, id) };
  const hint = index === 0 ? { hint: t('field.minimum.hint') } : {};
  return textField({ ...field, ...hint, isCode: true, maxLength: 40 });
}

const isFilled = ({ currency, amount, minimum }: CurrencyRow): boolean => `${currency}${amount}${minimum}` !== '';

/** What can be left alone. It is open where something is filled in, or wrong. */
const fold = (isOpen: boolean, title: string, content: Html): Html =>
  html`<details${isOpen && html` open`}><summary>${title}</summary>${content}</details>`;

/** The first amount is not in the fold. */
const unfolded = ['flat_currency_0', 'flat_amount_0'];

const isFaulty = ({ faults }: Shown, begins: string): boolean =>
  faults.some(({ field }) => field.startsWith(begins) && !unfolded.includes(field));

/** More currencies of an amount, or what a percentage does in some currencies. */
function currencyFold(shown: Shown, kind: 'flat' | 'cap'): Html {
  const { draft, t } = shown;
  const isFlat = kind === 'flat';
  const rows = isFlat ? draft.flat : draft.caps;
  const hasMore = isFlat ? rows.slice(1).some(isFilled) || Boolean(rows[0]?.minimum) : rows.some(isFilled);
  const rowFields = (row: CurrencyRow, index: number): Html =>
    isFlat && index === 0
      ? html`<div class="pair">${minimumField(shown, kind, index, row)}</div>`
      : html`<div class="pair">${currencyField(shown, kind, index, row)}${amountField(shown, kind, index, row)}${minimumField(shown, kind, index, row)}</div>`;
  const isOpen = hasMore || isFaulty(shown, `${kind}_`);
  const content = html`${!isFlat && html`<p class="hint">${t('fold.caps.hint')}</p>`}${rows.map(rowFields)}`;
  return html`<div class="${isFlat ? 'when-flat' : 'when-percentage'}">${fold(isOpen, t(isFlat ? 'fold.currencies' : 'fold.caps'), content)}</div>`;
}

function productFold(shown: Shown): Html {
  const { draft, products, hasMoreProducts, faults, t } = shown;
  if (products.length === 0) return html``;
  const box = ({ id, name }: Pick<Product, 'id' | 'name'>) =>
    html`<div class="check"><input type="checkbox" id="for_${id}" name="products" value="${id}"${draft.products.includes(id) && html` checked`}><label for="for_${id}" dir="auto">${name}</label></div>`;
  const content = html`<fieldset id="products" tabindex="-1"><legend class="visually-hidden">${t('fold.products')}</legend>
<p class="hint">${t('fold.products.hint')}</p>${faultOf('products', messageAt(faults, 'products'))}
${products.map(box)}
${hasMoreProducts && html`<p class="hint">${t('fold.products.more', { count: String(products.length) })}</p>`}</fieldset>`;
  return fold(draft.products.length > 0 || isFaulty(shown, 'products'), t('fold.products'), content);
}

function limitFold(shown: Shown): Html {
  const { draft, faults, t } = shown;
  const { startsAt, expiresAt, usageLimit, perCustomer, eligibility, belowMinimum, name } = draft;
  const isSet = [startsAt, expiresAt, usageLimit, perCustomer, name].some((text) => text !== '');
  const limits = ['starts_at', 'expires_at', 'usage_limit', 'per_customer', 'name'];
  const isOpen = isSet || eligibility !== 'any' || belowMinimum || limits.some((field) => isFaulty(shown, field));
  const when = (id: 'starts_at' | 'expires_at', label: string, value: string, hint?: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input type="datetime-local" id="${id}" name="${id}" value="${value}"${describedBy({ id, hint, fault: messageAt(faults, id) })}>${hintOf(id, hint)}${faultOf(id, messageAt(faults, id))}</div>`;
  const content = html`<div class="pair">${when('starts_at', t('field.starts'), startsAt)}${when('expires_at', t('field.expires'), expiresAt, t('field.expires.hint'))}</div>
<div class="pair">${input(shown, { id: 'usage_limit', of: 'usageLimit', label: 'field.limit', hint: 'field.limit.hint' })}${input(shown, { id: 'per_customer', of: 'perCustomer', label: 'field.perCustomer', hint: 'field.perCustomer.hint' })}</div>
${choices('eligibility', t('field.eligibility'), eligibility, eligibilities.map(eligibilityChoice(t)))}
${checkBox({ id: 'below_minimum', label: t('field.below'), hint: t('field.below.hint'), isChecked: belowMinimum })}
${input(shown, { id: 'name', of: 'name', label: 'field.name', hint: 'field.name.hint' }, { maxLength: 100 })}`;
  return fold(isOpen, t('fold.when'), content);
}

const hinted = { first_time: 'eligibility.first_time.hint', specific: 'eligibility.specific.hint' } as const;

const eligibilityChoice = (t: Texts<DiscountsKey>) => (value: (typeof eligibilities)[number]) => ({
  value,
  label: t(`eligibility.${value}`),
  ...(value in hinted && { hint: t(hinted[value as keyof typeof hinted]) }),
});
