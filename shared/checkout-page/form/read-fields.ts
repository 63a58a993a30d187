import { firstAmountOf, limitFault, type PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import type { BillingAddress } from '../../domain/checkout/buyer.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type AmountFault, amountText, parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import { type BuyerFields, type CheckoutForm, lockedFields } from './checkout-form.ts';
import { noCode } from './code-entry.ts';
import type { Places } from './places.ts';
import { quantitiesAgain, type ReadQuantities } from './read-quantities.ts';

type Line = CheckoutSession['lines'][number];

/** The price of a line, if the buyer chooses its amount; otherwise undefined. */
export const openPriceOf = ({ price, amount }: Line): PayWhatYouWant | undefined =>
  price.kind === 'pay_what_you_want' && amount === null ? price : undefined;

/** The first form of a session. It has the details that are known, and the suggested or lowest amount. */
export function formOf(session: CheckoutSession, locale: Locale): CheckoutForm {
  const open = session.lines.filter(openPriceOf);
  const amounts = open.map((line): [string, string] => [line.productId, firstAmount(line, locale)]);
  const common = {
    code: noCode,
    currency: '',
    shownCurrency: session.currency,
    token: session.formToken,
    action: 'update',
    switchTo: '',
    expectedTotal: null,
    shownTyped: null,
    quantities: new Map(),
    step: null,
    card: '',
    consents: [],
    requests: [],
    label: '',
    preset: null,
  } as const;
  return { ...common, buyer: knownFields(session), amounts: new Map(amounts) };
}

/** Restores the form of a payment that has ended without success. */
export function formAgain(
  session: CheckoutSession,
  { customer, billing, taxId, businessName, lines, card }: Payment,
  { locale, cards }: { locale: Locale; cards: readonly { number: string }[] },
): CheckoutForm {
  const { email, name } = customer;
  const entries = knownFields({
    ...session,
    customer: { email, name },
    billing,
    taxId: taxId?.id ?? null,
    businessName,
  });
  const amounts = session.lines.filter(openPriceOf).map(({ productId }): [string, string] => {
    const amount = lines.find((line) => line.productId === productId)?.unitAmount ?? 0;
    return [productId, amountText(amount, session.currency, locale)];
  });
  const chosen = cards.find(({ number }) => card !== null && number.endsWith(card.lastFour));
  const choices = { amounts: new Map(amounts), quantities: quantitiesAgain(session, { lines }) };
  const form = { ...formOf(session, locale), buyer: entries, card: chosen?.number ?? '', ...choices };
  return withLocked(session, form);
}

function firstAmount(line: Line, locale: Locale): string {
  const price = openPriceOf(line);
  const amount = price ? (wishedAmount(line) ?? firstAmountOf(price)) : null;
  return amount === null ? '' : amountText(amount, line.price.currency, locale);
}

/** The amount that the link proposes, if the prices are in its currency. */
const wishedAmount = ({ wish, price }: Line): number | undefined =>
  wish?.currency === price.currency ? wish.amount : undefined;

function knownFields({ customer, billing, taxId, businessName }: CheckoutSession): BuyerFields {
  return {
    email: customer.email ?? '',
    name: customer.name ?? '',
    country: billing.country ?? '',
    region: billing.state ?? '',
    postal_code: billing.zipcode ?? '',
    street: billing.street ?? '',
    city: billing.city ?? '',
    tax_id: taxId ?? '',
    business_name: businessName ?? '',
  };
}

/** The fields of the posted form. Fields that the buyer cannot change are taken from the session. */
export function withLocked(session: CheckoutSession, form: CheckoutForm): CheckoutForm {
  const known = knownFields(session);
  const locked = lockedFields(session).map((field) => [field, known[field]]);
  return { ...form, buyer: { ...form.buyer, ...Object.fromEntries(locked) } };
}

export interface ReadAmounts {
  /** Valid amounts per unit, by product. */
  amounts: Map<string, number>;
  /** The text in the amount fields, by product. */
  typed: Map<string, string>;
  faults: { lineIndex: number; fault: ChoiceFault }[];
}

/** Why an amount is invalid. Either it cannot be read as a number, or it is outside the limits. */
export type ChoiceFault = AmountFault | 'below_minimum' | 'above_maximum';

/**
 * Reads amounts in the language in which they were typed. If the buyer changes the language, the form shows them in the
 * new one. Otherwise it shows them as typed.
 */
export function readAmounts(session: CheckoutSession, form: CheckoutForm, written: Locale, shown: Locale): ReadAmounts {
  const read: ReadAmounts = { amounts: new Map(), typed: new Map(), faults: [] };
  for (const [lineIndex, line] of session.lines.entries()) {
    const price = openPriceOf(line);
    if (!price) continue;
    const { amount, typed, fault } = readChoice(form, line.productId, price, { written, shown });
    read.typed.set(line.productId, typed);
    if (fault) read.faults.push({ lineIndex, fault });
    else if (amount !== undefined) read.amounts.set(line.productId, amount);
  }
  return read;
}

function readChoice(
  form: CheckoutForm,
  productId: string,
  price: PayWhatYouWant,
  { written, shown }: { written: Locale; shown: Locale },
) {
  const pressed = form.preset?.productId === productId ? form.preset.amount : undefined;
  const typed = form.amounts.get(productId) ?? '';
  const choice = choose(pressed, typed, price, written);
  const keepsWording = choice.amount === undefined || (pressed === undefined && written === shown);
  return { ...choice, typed: keepsWording ? typed : amountText(choice.amount, price.currency, shown) };
}

interface Choice {
  readonly amount?: number;
  readonly fault?: ChoiceFault;
}

function choose(pressed: number | undefined, typed: string, price: PayWhatYouWant, locale: Locale): Choice {
  if (pressed !== undefined) return withinLimits(pressed, price);
  return typed === '' ? {} : readTypedAmount(typed, price, locale);
}

/** Reads a typed amount, and checks it against the limits of its price. */
export function readTypedAmount(typed: string, price: PayWhatYouWant, locale: Locale): Choice {
  const reading = parseAmount(typed, price.currency, locale);
  return 'fault' in reading ? reading : withinLimits(reading.amount, price);
}

function withinLimits(amount: number, price: PayWhatYouWant): Choice {
  const fault = limitFault(amount, price);
  return fault ? { amount, fault } : { amount };
}

/**
 * The total of an order, if the buyer has typed it: the amount of one unit of the only product. It is what the buyer
 * pays if no tax and no code changes it.
 */
export function typedTotalOf(
  { lines: [line, ...others] }: Pick<CheckoutSession, 'lines'>,
  { amounts }: Pick<ReadAmounts, 'amounts'>,
  { quantities }: Pick<ReadQuantities, 'quantities'>,
): number | undefined {
  if (!line || others.length > 0 || (quantities.get(line.productId) ?? line.quantity) !== 1) return undefined;
  return openPriceOf(line) ? amounts.get(line.productId) : undefined;
}

/**
 * The typed total that is paid without another question. Undefined if a code or tax had changed the typed total on the
 * page. Then the buyer expects the same of a newly typed amount.
 */
export const acceptedTotalOf = ({ session, form, read, ordered }: Entries): number | undefined =>
  form.expectedTotal === form.shownTyped ? typedTotalOf(session, read, ordered) : undefined;

interface Entries {
  session: Pick<CheckoutSession, 'lines'>;
  form: Pick<CheckoutForm, 'expectedTotal' | 'shownTyped'>;
  read: Pick<ReadAmounts, 'amounts'>;
  ordered: Pick<ReadQuantities, 'quantities'>;
}

/** The address for the tax and the invoice; null if the country is unknown. */
export function billingOf(session: CheckoutSession, buyer: BuyerFields, places: Places): BillingAddress | null {
  const { country } = buyer;
  if (!places.countries.includes(country)) return null;
  const known = session.billing.country === country ? session.billing : {};
  const hasRegions = places.regionsOf(country).length > 0;
  const state = hasRegions ? places.findRegion(country, buyer.region)?.code : known.state;
  return {
    country,
    state: state ?? null,
    city: (buyer.city || known.city) ?? null,
    street: (buyer.street || known.street) ?? null,
    zipcode: (buyer.postal_code || known.zipcode) ?? null,
  };
}
