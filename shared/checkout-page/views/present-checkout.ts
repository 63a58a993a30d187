import { type AdjustableQuantity, withQuantities } from '../../domain/catalogue/adjustable-quantity.ts';
import type { PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import { awaitsRegister } from '../../domain/checkout/buyer.ts';
import { knownSubtotal, knownSum, knownTotal } from '../../domain/checkout/cart.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { ConsentKind, SupplyConsentKind } from '../../domain/checkout/consent.ts';
import type { PricedItem } from '../../domain/checkout/priced-item.ts';
import { isHeldAtMinimum, type TakenDiscounts } from '../../domain/discounts/take-discounts.ts';
import { takenOff } from '../../domain/discounts/total-with-codes.ts';
import { sum } from '../../domain/money/money.ts';
import { supplyRequests } from '../../domain/withdrawal/supply-requests.ts';
import type { SummaryLine } from '../../pages/order-summary.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { type Totals, totalsOf } from '../../pages/totals.ts';
import type { Region } from '../../tax/places/regions.ts';
import type { PageKey } from '../../texts/texts.ts';
import type { CheckoutReview } from '../../use-cases/checkout/review-checkout.ts';
import { type BuyerField, type BuyerFields, type CheckoutForm, lockedFields } from '../form/checkout-form.ts';
import { inWords } from '../form/consents.ts';
import type { Advice } from '../form/faults.ts';
import type { Places } from '../form/places.ts';
import { presetsOf } from '../form/presets.ts';
import { openPriceOf, type ReadAmounts, typedTotalOf } from '../form/read-fields.ts';
import type { ReadQuantities } from '../form/read-quantities.ts';
import { type CodesView, codesView } from './codes-view.ts';

/** A test card of the sandbox. The buyer chooses it from a list. */
export interface TestCard {
  number: string;
  label: string;
}

export interface LineView extends SummaryLine {
  productId: string;
  /** The fields with which the buyer chooses the amount; null if the amount is fixed. */
  choice: {
    price: PayWhatYouWant;
    /** Whether the buyer's place is known, so that its minimum is shown. */
    isPlaceKnown: boolean;
    typed: string;
    presets: readonly number[];
  } | null;
  /** The minimum of one unit, if codes lowered the price to it; otherwise null. */
  heldAt: number | null;
  /** The range of quantities that the buyer may choose, and the text of the field; absent if there is no choice. */
  adjustable?: { limits: AdjustableQuantity; typed: string } | undefined;
  /**
   * The amount of the line and the amount after tax. Absent if the merchant does not show it, or if it is not known.
   */
  staying?: { gross: number; net: number } | undefined;
}

/** All data of the checkout page. The functions that make the page read nothing else. */
export interface CheckoutView extends PageContext, Advice {
  sessionId: string;
  formToken: string;
  currency: string;
  cancelUrl: string | null;
  lines: readonly LineView[];
  totals: Totals;
  /** The total that the buyer has typed as an amount; absent if other amounts or quantities belong to it. */
  typedTotal: number | undefined;
  codes: CodesView;
  /**
   * The currencies that the buyer can choose. Without a choice, it holds only the session's currency. Without localized
   * prices, it is empty.
   */
  currencies: readonly string[];
  /** Why the tax or the total is not known yet. */
  taxHint: PageKey | null;
  /** Whether errors are also listed above the form. While the buyer is still typing, they are not. */
  listsFaults: boolean;
  /** Why tax is charged although the buyer entered a tax id. */
  taxIdNote: PageKey | null;
  buyer: BuyerFields;
  locked: readonly BuyerField[];
  countries: readonly string[];
  /** The countries among them to which the order cannot be sold. */
  unsold: ReadonlySet<string>;
  /** How tax ids of the buyer's country are written; absent if their form is unknown. */
  taxIdExample: string | undefined;
  regions: readonly Region[];
  asksPostalCode: boolean;
  asksTaxId: boolean;
  /** The required consents, in the words of the page. */
  consents: readonly { kind: ConsentKind; text: string; isGiven: boolean }[];
  /** The boxes about an early supply, in the words of the page. The buyer need not tick them. */
  requests: readonly { kind: SupplyConsentKind; text: string; isGiven: boolean }[];
  cards: readonly TestCard[];
  card: string;
  /** The name of the processor on whose site the buyer pays; empty if the buyer pays on this page. */
  processorTitle: string;
  /** Whether the order can be paid by card only. */
  takesCardsOnly: boolean;
}

export interface ViewSources {
  context: PageContext;
  session: CheckoutSession;
  form: CheckoutForm;
  read: ReadAmounts;
  /** The quantities that the buyer chooses. */
  ordered: ReadQuantities;
  review: Pick<CheckoutReview, 'priced' | 'taxId' | 'isDoubtCharged' | 'lines'>;
  advice: Advice;
  places: Places;
  cards: readonly TestCard[];
  processorTitle: string;
  /** The required consents. */
  consents: readonly ConsentKind[];
  /** Whether the page asks consumers for consents about an early supply. */
  asksForSupply: boolean;
}

export function checkoutView(viewSources: ViewSources): CheckoutView {
  const sources = withChosen(viewSources);
  const { context, session, form, advice, cards } = sources;
  const taken = takenFor(sources);
  const texts = <Kind extends ConsentKind | SupplyConsentKind>(kinds: readonly Kind[], given: readonly Kind[]) =>
    inWords(kinds, context.seller, context.locale).map(({ kind, text }) => ({
      kind,
      text,
      isGiven: given.includes(kind),
    }));
  const lines = (sources.review.lines ?? session.lines).map((line, index) => lineView(line, sources, { index, taken }));
  const totals = totalsFor(sources, lines, taken);
  return {
    ...context,
    ...advice,
    sessionId: session.id,
    formToken: session.formToken,
    currency: session.currency,
    cancelUrl: session.cancelUrl,
    lines,
    totals,
    typedTotal: typedTotalOf(session, sources.read, sources.ordered),
    codes: codesView(context, session, form),
    currencies: currenciesFor(session),
    taxHint: taxHintFor(sources),
    taxIdNote: taxIdNoteFor(sources.review),
    listsFaults: form.action !== 'refresh',
    locked: lockedFields(session),
    ...placeView(form.buyer, sources.places),
    consents: texts(sources.consents, form.consents),
    requests: texts(requestsFor(sources, totals), form.requests),
    processorTitle: sources.processorTitle,
    takesCardsOnly: session.takesCardsOnly === true,
    cards: cards.map(({ number, label }) => ({ number, label })),
    card: cards.some(({ number }) => number === form.card) ? form.card : (cards[0]?.number ?? ''),
  };
}

/** The consents about an early supply for which the page asks, with the current entries. */
const requestsFor = ({ asksForSupply, form, review, session }: ViewSources, { total }: Totals): SupplyConsentKind[] =>
  asksForSupply
    ? supplyRequests({ country: form.buyer.country, taxId: review.taxId, total, lines: session.lines })
    : [];

/** The session with the chosen quantities. */
const withChosen = (sources: ViewSources): ViewSources => ({
  ...sources,
  session: { ...sources.session, lines: withQuantities(sources.session.lines, sources.ordered.quantities) },
});

const currenciesFor = ({ market, currency }: CheckoutSession): readonly string[] => {
  if (!market) return [];
  return market.isOffered === false ? [currency] : market.currencies;
};

/** The discount by line and by code; undefined while it is not known. */
function takenFor(sources: ViewSources): TakenDiscounts | undefined {
  const { session, review } = sources;
  if (review.priced)
    return { lines: review.priced.quote.lines.map(({ discount = 0 }) => discount), codes: review.priced.taken };
  return takenOff(
    session,
    session.lines.map((line) => unitAmountFor(line, sources)),
  );
}

/** The amount of one unit. Null until the buyer has chosen the amount or the quantity. */
function unitAmountFor({ price, amount, productId, adjustable }: SessionLine, { read, ordered }: ViewSources) {
  if (adjustable && !ordered.quantities.has(productId)) return null;
  return (price.kind === 'fixed' ? price.unitAmount : amount) ?? read.amounts.get(productId) ?? null;
}

interface Place {
  index: number;
  taken: TakenDiscounts | undefined;
}

function lineView(line: SessionLine, sources: ViewSources, { index, taken }: Place): LineView {
  const { session, read, ordered, review } = sources;
  const { typed } = read;
  const { productId, name, description, image, quantity, price } = line;
  const open = openPriceOf(line);
  const unitAmount = unitAmountFor(line, sources);
  const isHeld =
    unitAmount !== null && isHeldAtMinimum({ ...line, unitAmount }, taken?.lines[index] ?? 0, session.discounts ?? []);
  const isPlaceKnown = review.lines !== undefined;
  const shown = { isPlaceKnown, typed: typed.get(productId) ?? '' };
  const choice = open ? { ...shown, price: open, presets: presetsOf(open) } : null;
  return {
    productId,
    name,
    description,
    image,
    quantity,
    unitAmount,
    taxInclusive: price.taxInclusive,
    choice,
    heldAt: isHeld && price.kind === 'pay_what_you_want' ? price.minimum : null,
    ...quantityView(line, ordered),
    staying: stayingOf(line, review.priced?.quote.lines[index]),
  };
}

const quantityView = (
  { productId, adjustable }: SessionLine,
  { typed }: ReadQuantities,
): Pick<LineView, 'adjustable'> =>
  adjustable ? { adjustable: { limits: adjustable, typed: typed.get(productId) ?? '' } } : {};

/** The amount after tax. It is shown only if tax is deducted. Otherwise the merchant gets the whole amount. */
const stayingOf = ({ price }: SessionLine, priced: PricedItem | undefined): LineView['staying'] =>
  price.kind === 'pay_what_you_want' && price.showsNet && priced && priced.tax > 0
    ? { gross: priced.gross, net: priced.net }
    : undefined;

/**
 * The totals of the price. Without a price, it is the sum of the displayed prices. That sum is called a total only if
 * all prices include tax.
 */
function totalsFor(
  { session, review }: ViewSources,
  lines: readonly LineView[],
  taken: TakenDiscounts | undefined,
): Totals {
  const codes = (session.discounts ?? []).map(({ code }, index) => ({ code, amount: taken?.codes[index] ?? 0 }));
  if (review.priced) return totalsOf(review.priced.quote.lines, codes);
  const unitAmounts = lines.map(({ unitAmount }) => unitAmount);
  const discount = sum(taken?.lines ?? []);
  const total = reduced(knownTotal(session.lines, unitAmounts), discount);
  const net = total === null ? reduced(knownSubtotal(session.lines, unitAmounts), discount) : null;
  const displayed = reduced(knownSum(session.lines, unitAmounts), discount);
  return { total, net, displayed, taxes: [], ...(discount > 0 && { discount, codes }) };
}

const reduced = (amount: number | null, discount: number): number | null =>
  amount === null ? null : amount - discount;

function taxHintFor({ session, form, review, places }: ViewSources): PageKey | null {
  if (review.priced) return null;
  const { country, region } = form.buyer;
  const needsRegion = places.regionsOf(country).length > 0 && !places.findRegion(country, region);
  if (needsRegion) return 'tax.hint.region';
  if (places.countries.includes(country)) return null;
  return session.lines.every(({ price }) => price.taxInclusive) ? 'tax.hint.inclusive' : 'tax.hint.exclusive';
}

function taxIdNoteFor({ taxId, isDoubtCharged }: ViewSources['review']): PageKey | null {
  if (!taxId || !isDoubtCharged) return null;
  return awaitsRegister(taxId) ? 'field.tax_id.unanswered' : 'field.tax_id.unconfirmed';
}

function placeView(buyer: BuyerFields, places: Places) {
  const region = places.findRegion(buyer.country, buyer.region)?.code ?? '';
  return {
    buyer: { ...buyer, region },
    countries: places.countries,
    unsold: places.unsold,
    taxIdExample: places.taxIdExample(buyer.country),
    regions: places.regionsOf(buyer.country),
    asksPostalCode: places.asksPostalCode(buyer.country),
    asksTaxId: places.asksTaxId(buyer.country) || buyer.tax_id !== '' || buyer.business_name !== '',
  };
}
