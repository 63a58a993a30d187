import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { PageRequest } from '../../http/page.ts';
import { type ChangeMarketDeps, changeMarket } from '../../use-cases/checkout/change-market.ts';
import type { CheckoutForm } from './checkout-form.ts';
import type { Advice } from './faults.ts';
import { withLikelyCountry } from './likely-country.ts';
import { formOf } from './read-fields.ts';
import { type FormDeps, type PricedForm, priceableForm } from './receive-form.ts';

type MarketDeps = ChangeMarketDeps & Pick<FormDeps, 'env' | 'taxSettings' | 'cards' | 'payOrigins' | 'processorTitle'>;

/** A form with the prices of its market, and whether they differ from the displayed ones. */
export interface MarketForm {
  form: PricedForm;
  advice: Advice;
  isChanged: boolean;
}

/**
 * Prices the form for the buyer's country and chosen currency. Chosen amounts are not converted. In another currency,
 * they start again with the suggestion.
 */
export async function withMarket(deps: MarketDeps, request: PageRequest, form: PricedForm): Promise<MarketForm> {
  const { session, form: entries } = form;
  const { currency, shownCurrency } = entries;
  const isByHand = currency !== '' && currency !== shownCurrency && session.market?.currencies.includes(currency);
  const target = { country: form.billing?.country, currency: isByHand ? currency : null };
  const after = await changeMarket(deps, session, target);
  const isOther = shownCurrency !== '' && shownCurrency !== after.currency;
  if (after === session && !isOther) return { form, advice: { faults: [], notice: null }, isChanged: false };
  const currencyNews = { key: 'currency.changed', values: { currency: after.currency } } as const;
  return {
    form: await priceableForm(deps, request, after, isOther ? startedAgain(after, form) : entries),
    advice: { faults: [], notice: null, ...(isOther && { currencyNews }) },
    isChanged: isOther || hasOtherPrices(session, after),
  };
}

const hasOtherPrices = (before: CheckoutSession, after: CheckoutSession): boolean =>
  JSON.stringify(before.lines) !== JSON.stringify(after.lines);

/** The entries without the amounts that the buyer chose in another currency. */
const startedAgain = (session: CheckoutSession, { form, context }: PricedForm): CheckoutForm => ({
  ...form,
  preset: null,
  amounts: formOf(session, context.locale).amounts,
});

/** The session for the first view, with the prices of the country that the form begins with. */
export async function inLikelyMarket(
  deps: MarketDeps,
  request: PageRequest,
  session: CheckoutSession,
): Promise<CheckoutSession> {
  if (!session.market || session.market.country !== undefined) return session;
  const { country } = withLikelyCountry(deps, request, formOf(session, 'en')).buyer;
  return changeMarket(deps, session, { country, currency: null });
}
