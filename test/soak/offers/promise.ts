/** Written without the code of checkouts: it works out every price when a session is opened, and later only looks it up. */

/** A product as its merchant has defined it. */
export interface Goods {
  id: string;
  amount: number;
  currency: string;
  isInclusive: boolean;
  /** Whether the buyer chooses the amount. Then `amount` is the least allowed. */
  isOpen: boolean;
  mode: 'by_country' | 'by_currency' | null;
  /** Its prices elsewhere, by id: for a country, or for everybody who pays in the currency. */
  elsewhere: Map<string, { country: string | null; currency: string; amount: number }>;
  isArchived: boolean;
}

/** The currency of each country that the walk visits, and its tax as a fraction of the net. */
export const customs: Readonly<Record<string, { currency: string; tax: [number, number] }>> = {
  DE: { currency: 'EUR', tax: [19, 100] },
  FR: { currency: 'EUR', tax: [20, 100] },
  PL: { currency: 'PLN', tax: [23, 100] },
  SE: { currency: 'SEK', tax: [25, 100] },
  US: { currency: 'USD', tax: [0, 100] },
};
export const visited = Object.keys(customs);
export const allCurrencies = ['EUR', 'USD', 'PLN', 'SEK', 'GBP'];

const nowhere = 'nowhere';

export interface Terms {
  country: string | null;
  /** The currency that the request names. */
  currency: string | null;
  /** Whether an amount is locked, so that the first prices are the last. */
  isLocked: boolean;
  /** Whether the buyer may choose the currency. */
  offersCurrencies: boolean;
  /** The percentage that a code takes off. */
  percentOff: number;
}

/** The prices and currencies that a session promised when it was opened. */
export interface Promised {
  ids: string[];
  isInclusive: boolean[];
  /** The amount of each line, by `COUNTRY CURRENCY`; none where a line has no price. */
  amounts: Map<string, number[]>;
  /** The allCurrencies to try in each country, the best first. */
  preferred: Map<string, string[]>;
  terms: Terms;
  /** The country of the session now, or `nowhere`. */
  place: string;
  currency: string;
  isChosen: boolean;
}

export function promise(cart: readonly Goods[], terms: Terms): Promised | undefined {
  const amounts = new Map<string, number[]>();
  const preferred = new Map<string, string[]>();
  const home = cart[0]?.currency ?? '';
  for (const place of [...visited, nowhere]) {
    const named: string[] = [];
    for (const goods of cart)
      if (goods.mode === 'by_country')
        for (const price of goods.elsewhere.values()) if (price.country === place) named.push(price.currency);
    preferred.set(
      place,
      place === nowhere || terms.isLocked ? [home] : [...named, customs[place]?.currency ?? '', home],
    );
    for (const currency of allCurrencies) {
      const row = cart.map((goods) => amountOf(goods, place, currency));
      if (!row.includes(-1)) amounts.set(`${place} ${currency}`, row);
    }
  }
  const place = terms.country ?? nowhere;
  const rest = { ids: cart.map(({ id }) => id), isInclusive: cart.map(({ isInclusive }) => isInclusive) };
  const first = { ...rest, amounts, preferred, terms, place, currency: '', isChosen: terms.currency !== null };
  const currency = terms.currency ?? bestIn(first, place);
  return amounts.has(`${place} ${currency}`) ? { ...first, currency } : undefined;
}

function amountOf(goods: Goods, place: string, currency: string): number {
  for (const price of goods.elsewhere.values()) {
    const isTheirs = goods.mode === 'by_country' ? price.country === place : true;
    if (isTheirs && price.currency === currency) return price.amount;
  }
  return goods.currency === currency ? goods.amount : -1;
}

const bestIn = ({ amounts, preferred }: Promised, place: string): string =>
  preferred.get(place)?.find((currency) => amounts.has(`${place} ${currency}`)) ?? '';

/** The allCurrencies that a buyer may choose where the session is. */
export const offeredIn = ({ amounts, place, terms }: Promised): string[] =>
  terms.isLocked || !terms.offersCurrencies ? [] : allCurrencies.filter((one) => amounts.has(`${place} ${one}`));

/** Moves the session to a country, in a currency that was chosen by hand. */
export function goTo(session: Promised, country: string, byHand: string | null): void {
  const chosen = byHand === session.currency ? null : byHand;
  if (session.terms.isLocked || (country === session.place && chosen === null)) return;
  const kept = chosen ?? (session.isChosen ? session.currency : null);
  const holds = kept !== null && session.amounts.has(`${country} ${kept}`);
  const currency = holds ? kept : bestIn(session, country);
  // without any price there, everything stays as it is
  Object.assign(session, { place: country, isChosen: holds, currency });
}

/** What the buyer owes, with these amounts where they choose. */
export function owed(session: Promised, country: string): { currency: string; total: number; amounts: number[] } {
  const place = session.terms.isLocked ? (session.terms.country ?? nowhere) : session.place;
  const amounts = session.amounts.get(`${place} ${session.currency}`) ?? [];
  const [over, under] = customs[country]?.tax ?? [0, 1];
  const sumOf = (isInclusive: boolean) =>
    amounts.reduce((sum, amount, index) => sum + (session.isInclusive[index] === isInclusive ? amount : 0), 0);
  const off = (amount: number) => (amount * (100 - session.terms.percentOff)) / 100;
  const added = off(sumOf(false));
  return { currency: session.currency, total: off(sumOf(true)) + added + Math.round((added * over) / under), amounts };
}
