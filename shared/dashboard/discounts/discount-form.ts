import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Discount } from '../../domain/discounts/discount.ts';
import { currencies } from '../../domain/money/currency.ts';
import { faultOf, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type DrawEntry, drawing, type Filled } from '../entries.ts';
import { type Frame, may } from '../frame.ts';
import { type FormFault, fieldCard, formKeys, messageAt, selectBox } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { filledRows, isRowEmpty, type RowKind, rowField } from './currency-rows.ts';
import { chosenProducts, discountEntries as entries } from './discount-entries.ts';
import { discountsHome } from './discount-list-page.ts';

export interface DiscountFormView {
  /** The code; null for a new one. */
  discount: Discount | null;
  filled: Filled;
  faults: readonly FormFault[];
  /** The products in the list: the newest ones, and those of the code. */
  products: readonly Pick<Product, 'id' | 'name'>[];
  /** Whether the merchant has more products than the list. */
  hasMoreProducts: boolean;
}

interface Shown extends DiscountFormView {
  field: DrawEntry;
  t: Texts<TextKey<'discounts'>>;
}

/** The form of a code. It shows a few fields. The others are folded until they are needed. */
export function discountForm(frame: Frame, view: DiscountFormView): Html {
  const t = textsOf(dashboardTexts('discounts'), frame);
  const { discount, filled, faults } = view;
  const shown = { ...view, field: drawing({ ...filled, faults }), t };
  const isLocked = !may(frame, dashboardCommands.discounts.save);
  return html`<form method="post" action="${discountsHome}${discount && `/${discount.id}`}" novalidate>${formKeys(frame)}
${fieldCard(
  { title: t('form.title'), isLocked },
  html`${firstFields(shown)}
${currencyFold(shown, 'flat')}
${currencyFold(shown, 'cap')}
${productFold(shown)}
${limitFold(shown)}
${!isLocked && html`<p class="submit"><button class="main" name="action" value="save">${t(discount ? 'button.save' : 'button.create')}</button>${discount && html`<span class="hint">${t('form.changed')}</span>`}</p>`}`,
)}</form>`;
}

function firstFields(shown: Shown): Html {
  const { discount, field, t } = shown;
  const known = { label: t('field.code.known'), hint: t('field.code.known.hint') };
  return html`${field(entries.code, discount ? known : {})}
${field(entries.type)}
<div class="when-percentage">${field(entries.percent)}</div>
<div class="when-flat pair">${rowBox(shown, 'flat', 'currency', 0)}${rowBox(shown, 'flat', 'amount', 0)}</div>`;
}

/** A field of a currency's row. */
function rowBox(
  { filled, faults, t }: Shown,
  kind: RowKind,
  part: 'currency' | 'amount' | 'minimum',
  index: number,
): Html {
  const name = rowField(kind, part, index);
  const spec = { id: name, name, value: filled.typed[name] ?? '', fault: messageAt(faults, name) };
  if (part === 'currency') {
    const options = [
      { value: '', label: t('currency.none') },
      ...currencies.map((code) => ({ value: code, label: code })),
    ];
    return selectBox({ ...spec, label: t('field.currency'), options });
  }
  const label = t(part === 'minimum' ? 'field.minimum' : kind === 'flat' ? 'field.amount' : 'field.cap');
  const hint = part === 'minimum' && index === 0 ? t('field.minimum.hint') : undefined;
  return textField({ ...spec, label, hint, isCode: true, maxLength: 40 });
}

/** Optional fields that are folded. They are open if one of them is filled in or has a fault. */
const fold = (isOpen: boolean, title: string, content: Html): Html =>
  html`<details${isOpen && html` open`}><summary>${title}</summary>${content}</details>`;

/** Fields that are always visible, so their faults need not open the folded fields. */
const unfolded = ['flat_currency_0', 'flat_amount_0'];

const isFaulty = ({ faults }: Shown, begins: string): boolean =>
  faults.some(({ field }) => field.startsWith(begins) && !unfolded.includes(field));

/** The folded rows: more currencies for a flat code, or limits in some currencies for a percentage. */
function currencyFold(shown: Shown, kind: RowKind): Html {
  const { typed } = shown.filled;
  const { t } = shown;
  const isFlat = kind === 'flat';
  const rows = filledRows(kind, typed);
  const folded = isFlat ? rows.slice(1) : rows;
  const hasMore =
    folded.some((index) => !isRowEmpty(kind, index, typed)) || Boolean(typed[rowField('flat', 'minimum', 0)] && isFlat);
  const boxes = (index: number) =>
    (isFlat && index === 0 ? (['minimum'] as const) : (['currency', 'amount', 'minimum'] as const)).map((part) =>
      rowBox(shown, kind, part, index),
    );
  const isOpen = hasMore || isFaulty(shown, `${kind}_`);
  const content = html`${!isFlat && html`<p class="hint">${t('fold.caps.hint')}</p>`}${rows.map((index) => html`<div class="pair">${boxes(index)}</div>`)}`;
  return html`<div class="${isFlat ? 'when-flat' : 'when-percentage'}">${fold(isOpen, t(isFlat ? 'fold.currencies' : 'fold.caps'), content)}</div>`;
}

function productFold(shown: Shown): Html {
  const { filled, products, hasMoreProducts, faults, t } = shown;
  if (products.length === 0) return html``;
  const chosen = chosenProducts(filled.typed);
  const box = ({ id, name }: Pick<Product, 'id' | 'name'>) =>
    html`<div class="check"><input type="checkbox" id="for_${id}" name="products" value="${id}"${chosen.includes(id) && html` checked`}><label for="for_${id}" dir="auto">${name}</label></div>`;
  const content = html`<fieldset id="products" tabindex="-1"><legend class="visually-hidden">${t('fold.products')}</legend>
<p class="hint">${t('fold.products.hint')}</p>${faultOf('products', messageAt(faults, 'products'))}
${products.map(box)}
${hasMoreProducts && html`<p class="hint">${t('fold.products.more', { count: String(products.length) })}</p>`}</fieldset>`;
  return fold(chosen.length > 0 || isFaulty(shown, 'products'), t('fold.products'), content);
}

function limitFold(shown: Shown): Html {
  const { field, t } = shown;
  const { typed } = shown.filled;
  const { starts, expires, usageLimit, perCustomer, eligibility, belowMinimum, combinable, name } = entries;
  const limits = [starts, expires, usageLimit, perCustomer, name, belowMinimum];
  const isSet = limits.some((one) => typed[one.name] || isFaulty(shown, one.name));
  const content = html`<div class="pair">${field(starts)}${field(expires)}</div>
<div class="pair">${field(usageLimit)}${field(perCustomer)}</div>
${field(eligibility)}
${field(belowMinimum)}
${field(combinable)}
${field(name)}`;
  return fold(isSet || typed['eligibility'] !== 'any', t('fold.when'), content);
}
