/**
 * The returns once more, from the raw rows of the table: whole numbers of any size, the calendar of the runtime, and
 * nothing of the product.
 */

/** A row's `data`, as it was written. */
// biome-ignore lint/suspicious/noExplicitAny: the oracle reads what is in the table, not what the product says of it
export type Raw = any;

export interface RawBooks {
  payments: Map<string, Raw>;
  refunds: Raw[];
  disputes: Raw[];
  /** By date. */
  rates: Map<string, Record<string, string>>;
}

export interface Moved {
  kind: 'sale' | 'refund' | 'refund_returned' | 'dispute_lost' | 'dispute_won' | 'disputed';
  payment: Raw;
  date: string;
  /** When it was known. */
  at: string;
  /** Whether a lost dispute left the sale as it was. */
  isUncollectible?: boolean;
  /** Whether the invoice was corrected because of a tax id. */
  corrects: boolean;
  lines: Line[];
}

interface Line {
  net: bigint;
  taxes: { rate: string | null; reason: string | null; amount: bigint }[];
  /** The tax id on the invoice of the line. */
  buyer: string;
  /** The country that taxes it. */
  place: string;
}

const zones: Record<string, string> = {
  ...{ DE: 'Europe/Berlin', FR: 'Europe/Paris', PL: 'Europe/Warsaw', SE: 'Europe/Stockholm', FI: 'Europe/Helsinki' },
  ...{ PT: 'Europe/Lisbon', GB: 'Europe/London', IM: 'Europe/London', CH: 'Europe/Zurich', LI: 'Europe/Zurich' },
  ...{ JP: 'Asia/Tokyo', NO: 'Europe/Oslo' },
};
const standardRates: Record<string, string> = { PL: '0.23', SE: '0.25', FI: '0.255', PT: '0.23' };
const digits: Record<string, bigint> = { EUR: 100n, USD: 100n, JPY: 1n, GBP: 100n, CHF: 100n };

const calendars = new Map(
  Object.entries(zones).map(([country, timeZone]) => [country, new Intl.DateTimeFormat('en-CA', { timeZone })]),
);
const dayIn = (country: string, at: string): string => calendars.get(country)?.format(new Date(at)) ?? '';

export function movesOf({ payments, refunds, disputes }: RawBooks): Moved[] {
  const sales = [...payments.values()]
    .filter(({ status }) => status === 'succeeded')
    .map(
      (payment): Moved => ({
        kind: 'sale',
        payment,
        date: payment.calculation.taxDate,
        at: payment.createdAt,
        corrects: false,
        lines: payment.lines.map((line: Raw) => ({
          net: BigInt(line.net),
          buyer: payment.taxId?.id ?? '',
          place: line.taxedIn ?? payment.calculation.country,
          taxes: line.components.map(({ rate, reason, amount }: Raw) => ({ rate, reason, amount: BigInt(amount) })),
        })),
      }),
    );
  const returned = (kind: Moved['kind'], of: Raw, at: string, sign: bigint): Moved => {
    const payment = payments.get(of.paymentId);
    return {
      kind,
      payment,
      date: dayIn(payment.calculation.country, at),
      at,
      corrects: of.correction !== undefined,
      lines: of.correction
        ? correctedLines(payment, of.correction, sign)
        : of.lines.flatMap((line: Raw) => returnedLines(payment, of, line, sign)),
    };
  };
  const paid = refunds
    .filter(({ status, reverted }) => status === 'succeeded' || reverted)
    .flatMap((refund) => [
      returned('refund', refund, refund.reverted?.succeededAt ?? refund.updatedAt, -1n),
      ...(refund.reverted ? [returned('refund_returned', refund, refund.reverted.at, 1n)] : []),
    ]);
  const adjusted = disputes.flatMap(({ paymentId, adjustments = [] }) =>
    adjustments.map((one: Raw) => ({
      ...returned(`dispute_${one.kind}` as Moved['kind'], { ...one, paymentId }, one.at, one.kind === 'won' ? 1n : -1n),
      at: one.bookedAt,
      isUncollectible: one.ground === 'uncollectible',
    })),
  );
  const held = disputes
    .filter(({ lines, adjustments = [] }) => lines.length > 0 && adjustments.at(-1)?.kind !== 'lost')
    .map((dispute) => returned('disputed', dispute, dispute.createdAt, -1n));
  return [...sales, ...paid, ...adjusted, ...held];
}

const zeroReasons: Record<string, string> = {
  reverse_charge: 'reverse_charge',
  exempt: 'exempt',
  place_corrected: 'no_tax',
};

/**
 * A returned line as it was sold. A refund of the tax also moves the net to the reason, and what is returned of that net
 * later has no tax and leaves the reason. What is exempt stays where it was taxed.
 */
function returnedLines(payment: Raw, { freed, freedBy }: Raw, line: Raw, sign: bigint): Line[] {
  const sold = payment.lines.find(({ productId }: Raw) => productId === line.productId);
  const place = sold.taxedIn ?? payment.calculation.country;
  const buyer = payment.taxId?.id ?? '';
  const asSold = (net: bigint): Line => ({
    ...{ net: sign * net, buyer, place },
    taxes: sold.components.map(({ rate, reason }: Raw, index: number) => ({
      rate,
      reason,
      amount: sign * BigInt(line.components[index]),
    })),
  });
  const asFreed = (net: bigint, why: string): Line => ({
    ...{ net: sign * net, buyer, place: why === 'exempt' ? place : payment.calculation.country },
    taxes: sold.components.map(({ rate, reason }: Raw) =>
      reason === null ? { rate: null, reason: zeroReasons[why] ?? '', amount: 0n } : { rate, reason, amount: 0n },
    ),
  });
  const net = BigInt(line.amount) - BigInt(line.tax);
  if (freed) {
    const moved = BigInt(freed.lines.find(({ productId }: Raw) => productId === line.productId)?.net ?? 0);
    return [asSold(moved + net), asFreed(-moved, freed.reason)];
  }
  const isFreed = freedBy?.productIds.includes(line.productId) && line.tax === 0;
  return [isFreed ? asFreed(net, freedBy.reason) : asSold(net)];
}

/** A corrected invoice: what was left of each line is cancelled, and invoiced again. */
const correctedLines = (payment: Raw, { lines, taxId }: Raw, sign: bigint): Moved['lines'] =>
  lines.flatMap(({ productId, reversed, invoiced }: Raw) => {
    const sold = payment.lines.find((line: Raw) => line.productId === productId);
    const taxOf = ({ rate, reason }: Raw, amount: bigint) => ({ rate, reason, amount });
    return [
      {
        net: sign * BigInt(reversed.net),
        buyer: payment.taxId?.id ?? '',
        place: sold.taxedIn ?? payment.calculation.country,
        taxes: sold.components.map((one: Raw, at: number) => taxOf(one, sign * BigInt(reversed.components[at]))),
      },
      {
        net: -sign * BigInt(invoiced.net),
        buyer: taxId.id,
        place: payment.calculation.country,
        taxes: invoiced.components.map((one: Raw) => taxOf(one, -sign * BigInt(one.amount))),
      },
    ];
  });

const sixPlaces = (rate: string): bigint => {
  const [whole = '', places = ''] = rate.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, '0'));
};

/** Half away from zero. */
function inCurrency(amount: bigint, from: string, to: string, perEuro: Record<string, string>): bigint {
  if (from === to) return amount;
  const rate = (currency: string) => (currency === 'EUR' ? 1_000_000n : sixPlaces(perEuro[currency] ?? ''));
  const [above, below] = [amount * rate(to) * (digits[to] ?? 0n), rate(from) * (digits[from] ?? 0n)];
  const positive = above < 0n ? -above : above;
  const rounded = (positive * 2n + below) / (below * 2n);
  return above < 0n ? -rounded : rounded;
}

const firstFrom = ({ rates }: RawBooks, day: string): Record<string, string> =>
  rates.get([...rates.keys()].sort().find((date) => date >= day) ?? '') ?? {};
const lastBefore = ({ rates }: RawBooks, day: string): Record<string, string> =>
  rates.get([...rates.keys()].sort().findLast((date) => date < day) ?? '') ?? {};

export const quarterIn = (day: string): string =>
  `${day.slice(0, 4)}-Q${Math.floor((Number(day.slice(5, 7)) + 2) / 3)}`;
const lastDays: Record<string, string> = { Q1: '03-31', Q2: '06-30', Q3: '09-30', Q4: '12-31' };
export const lastDayOf = (quarter: string): string => `${quarter.slice(0, 4)}-${lastDays[quarter.slice(5)]}`;

const plus = (sums: Map<string, bigint>, key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);

/** Every figure of the OSS return of a quarter, by its name. States under OSS: all of the Union but Germany and France. */
export function ossOf(
  books: RawBooks,
  moves: readonly Moved[],
  quarter: string,
  declaredIn: (move: Moved) => string = ({ date }) => quarterIn(date),
): Map<string, bigint> {
  const original = new Map<string, bigint>();
  for (const move of moves) {
    const { kind, payment, lines } = move;
    const { country, taxDate } = payment.calculation;
    if (kind === 'disputed' || declaredIn(move) !== quarter || !['PL', 'SE', 'FI', 'PT'].includes(country)) continue;
    for (const { net, taxes, place } of lines)
      for (const { rate, reason, amount } of taxes) {
        if (reason !== null || rate === null || place !== country) continue;
        if (quarterIn(taxDate) === quarter) {
          plus(original, `net ${country} ${rate} ${payment.currency}`, net);
          plus(original, `tax ${country} ${rate} ${payment.currency}`, amount);
        } else plus(original, `correction ${country} ${quarterIn(taxDate)} ${payment.currency}`, amount);
      }
  }
  const figures = new Map<string, bigint>();
  for (const [key, amount] of original) {
    const [what = '', country = '', detail = '', currency = ''] = key.split(' ');
    const of = what === 'correction' ? detail : quarter;
    const euro = inCurrency(amount, currency, 'EUR', firstFrom(books, lastDayOf(of)));
    const type = detail === standardRates[country] ? 'standard' : 'reduced';
    plus(
      figures,
      what === 'correction' ? `correction ${country} ${detail}` : `${what} ${country} ${type} ${detail}`,
      euro,
    );
    if (what !== 'net') plus(figures, `balance ${country}`, euro);
  }
  const balances = [...figures].filter(([name]) => name.startsWith('balance'));
  figures.set(
    'due',
    balances.reduce((due, [, balance]) => due + (balance > 0n ? balance : 0n), 0n),
  );
  return figures;
}

/** The tax and the net of a period's sales to some countries, less its refunds, in their currency, document by document. */
export function countryOf(
  books: RawBooks,
  moves: readonly Moved[],
  { countries, currency, isOf }: { countries: string[]; currency: string; isOf: (move: Moved) => boolean },
): { net: bigint; tax: bigint } {
  let [net, tax] = [0n, 0n];
  for (const move of moves) {
    const { kind, payment } = move;
    const { country } = payment.calculation;
    if (kind === 'disputed' || !countries.includes(country) || !isOf(move)) continue;
    // bad debt relief is claimed apart
    if (currency === 'GBP' && move.isUncollectible) continue;
    const parts = new Map<string, { net: bigint; tax: bigint }>();
    for (const line of move.lines) {
      const [first] = line.taxes;
      const key = JSON.stringify([first?.rate ?? null, first?.reason ?? null]);
      const known = parts.get(key) ?? { net: 0n, tax: 0n };
      parts.set(key, { net: known.net + line.net, tax: known.tax + (first?.amount ?? 0n) });
    }
    const ordered = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
    const nets = converted(
      books,
      move,
      ordered.map(([, part]) => part.net),
      currency,
    );
    const taxes = converted(
      books,
      move,
      ordered.map(([, part]) => part.tax),
      currency,
    );
    for (const [at, [key]] of ordered.entries()) {
      const [, reason] = JSON.parse(key);
      // what a business owes itself and what is outside the tax are in no box; the Swiss 299 has nothing exempt
      if (reason === 'reverse_charge' || reason === 'no_tax' || (currency === 'CHF' && reason === 'exempt')) continue;
      net += nets[at] ?? 0n;
      tax += taxes[at] ?? 0n;
    }
  }
  return { net, tax };
}

const otherStates = ['FR', 'PL', 'SE', 'FI', 'PT'];
/** The rows of the German return in the order of their names here: home, OSS, abroad, businesses, the rest. */
const germanOrder = ['86', '81', 'home ', 'home_no_tax', 'oss', '45', '21', 'union_not_collected', 'union_registered'];
const isOwed = ({ taxes }: Line): boolean => taxes.some(({ reason }) => reason === 'reverse_charge');

/** Where the German return has a line: its number, or a name where it has none. */
function germanRow(line: Line): string {
  const [tax] = line.taxes;
  const country = line.place;
  if (country === 'DE' && tax?.reason === 'no_tax') return 'home_no_tax';
  if (country === 'DE') return tax?.rate === '0.19' ? '81' : tax?.rate === '0.07' ? '86' : `home ${tax?.reason}`;
  if (!otherStates.includes(country)) return '45';
  if (isOwed(line)) return `21 ${line.buyer}`;
  if (tax?.reason === 'no_tax') return 'union_not_collected';
  return country === 'FR' ? 'union_registered' : 'oss';
}

/** Shares of a total by largest remainder; the first of equal remainders wins. */
function shares(total: bigint, weights: bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  if (all === 0n) return weights.map(() => 0n);
  const found = weights.map((weight) => (total * weight) / all);
  const order = weights
    .map((weight, at) => ({ at, rest: (total * weight) % all }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1));
  let missing = total - found.reduce((sum, one) => sum + one, 0n);
  for (const { at } of order) {
    if (missing <= 0n) break;
    found[at] = (found[at] ?? 0n) + 1n;
    missing -= 1n;
  }
  return found;
}

/** The parts of a document in another currency: what it adds and what it takes are converted apart. */
function converted(books: RawBooks, { payment }: Moved, amounts: bigint[], to: string): bigint[] {
  const perEuro = lastBefore(books, payment.calculation.taxDate);
  const side = (sign: bigint) => {
    const weights = amounts.map((amount) => (amount * sign > 0n ? amount * sign : 0n));
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    return shares(inCurrency(total, payment.currency, to, perEuro), weights);
  };
  const [added, taken] = [side(1n), side(-1n)];
  return amounts.map((_, at) => (added[at] ?? 0n) - (taken[at] ?? 0n));
}

const rounded = (cents: bigint): bigint => (cents < 0n ? -((-cents + 50n) / 100n) : (cents + 50n) / 100n);

/** Every total of a German seller's own return: net, tax and whole euros. */
export function homeOf(books: RawBooks, moves: readonly Moved[], isOf: (move: Moved) => boolean): Map<string, bigint> {
  const [nets, taxes] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const move of moves) {
    if (move.kind === 'disputed' || !isOf(move)) continue;
    const [net, tax] = [new Map<string, bigint>(), new Map<string, bigint>()];
    for (const line of move.lines) {
      const row = germanRow(line);
      plus(net, row, line.net);
      plus(tax, row, line.place === 'DE' ? line.taxes.reduce((sum, { amount }) => sum + amount, 0n) : 0n);
    }
    // a cent is given in the order of the rows, and to the lower rate first
    const placeOf = (row: string) => `${germanOrder.findIndex((one) => row.startsWith(one))} ${row}`;
    const ordered = [...net.keys()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const of = (sums: Map<string, bigint>) => ordered.map((row) => sums.get(row) ?? 0n);
    const [netEuro, taxEuro] = [converted(books, move, of(net), 'EUR'), converted(books, move, of(tax), 'EUR')];
    for (const [at, row] of ordered.entries()) {
      plus(nets, row, netEuro[at] ?? 0n);
      plus(taxes, row, taxEuro[at] ?? 0n);
    }
  }
  const figures = new Map<string, bigint>();
  for (const [row, amount] of nets) {
    const name = row.startsWith('21 ') ? '21' : row;
    plus(figures, `net ${name}`, amount);
    plus(figures, `tax ${name}`, taxes.get(row) ?? 0n);
    if (name === '21') plus(figures, 'whole 21', rounded(amount));
  }
  for (const [name, amount] of [...figures])
    if (name.startsWith('net ') && name !== 'net 21') figures.set(name.replace('net', 'whole'), amount / 100n);
  return figures;
}

/** Every row of a German seller's recapitulative statement: by tax id, with the quarter that it corrects. */
export function salesListOf(
  books: RawBooks,
  moves: readonly Moved[],
  quarter: string,
  isOf: (move: Moved) => boolean,
): Map<string, bigint> {
  const rows = new Map<string, bigint>();
  for (const move of moves) {
    const { country, taxDate } = move.payment.calculation;
    if (move.kind === 'disputed' || !isOf(move) || !otherStates.includes(country)) continue;
    const wrong = move.corrects ? quarterIn(taxDate) : quarterIn(move.date);
    const perEuro = lastBefore(books, taxDate);
    const byBuyer = new Map<string, bigint>();
    for (const line of move.lines.filter(isOwed)) plus(byBuyer, line.buyer, line.net);
    for (const [buyer, net] of byBuyer)
      plus(
        rows,
        wrong === quarter ? `supply ${buyer}` : `correction ${wrong} ${buyer}`,
        inCurrency(net, move.payment.currency, 'EUR', perEuro),
      );
  }
  const figures = new Map<string, bigint>();
  for (const [row, amount] of rows) {
    figures.set(row, amount);
    figures.set(`whole ${row}`, rounded(amount));
  }
  return figures;
}

/** What the ledger holds of tax: charged, not returned, and not lost for a ground. */
export function taxInLedger({ payments, refunds, disputes }: RawBooks): Map<string, bigint> {
  const tax = new Map<string, bigint>();
  for (const payment of payments.values())
    if (payment.status === 'succeeded') plus(tax, payment.currency, BigInt(payment.tax));
  for (const refund of refunds) if (refund.status === 'succeeded') plus(tax, refund.currency, -BigInt(refund.tax));
  for (const { currency, adjustments = [] } of disputes) {
    const last = adjustments.at(-1);
    if (last?.kind === 'lost') for (const line of last.lines) plus(tax, currency, -BigInt(line.tax));
  }
  return tax;
}

const electronic = ['digital_products', 'saas', 'e_book', 'edtech'];
const homeLimit = 1_000_000n;

interface HomeCount {
  /** The counted sales by year, in euro cents. */
  counted: Map<string, bigint>;
  /** The sales that should be taxed in the other country. */
  faults: string[];
  atHome: number;
  crossed: number;
}

/** The net of a sale with the German rates: the tax of each rate is rounded once. */
function germanNet(lines: Raw[]): bigint {
  const groups = new Map<string, bigint>();
  for (const { taxCategory, taxInclusive, unitAmount, quantity } of lines)
    plus(groups, `${taxCategory === 'e_book' ? 7 : 19} ${taxInclusive}`, BigInt(unitAmount) * BigInt(quantity));
  return [...groups].reduce((net, [group, amount]) => {
    const [rate = '', isInclusive] = group.split(' ');
    const [part, whole] = [amount * BigInt(rate), 100n + BigInt(rate)];
    return net + (isInclusive === 'true' ? amount - (part * 2n + whole) / (whole * 2n) : amount);
  }, 0n);
}

/**
 * The count of the small seller, sale by sale in their order: at home while last year's and this year's sales to other
 * states are at most 10,000 euros, this sale included.
 */
export function homeCountOf(
  { payments }: RawBooks,
  { elsewhere, perEuro }: { elsewhere: Map<string, bigint>; perEuro: Record<string, string> },
): HomeCount {
  const found: HomeCount = { counted: new Map(), faults: [], atHome: 0, crossed: 0 };
  const totalOf = (year: string) => (elsewhere.get(year) ?? 0n) + (found.counted.get(year) ?? 0n);
  const small = [...payments.values()].filter(({ id }) => Number(id.slice('pay_'.length)) % 4 === 3);
  for (const { id, status, currency, calculation, lines, taxId } of small.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const foreign = lines.filter(({ taxCategory }: Raw) => electronic.includes(taxCategory));
    if (!otherStates.includes(calculation.country) || taxId || foreign.length === 0) continue;
    const year = calculation.taxDate.slice(0, 4);
    const euro = (net: bigint) => inCurrency(net, currency, 'EUR', perEuro);
    const mayBeHome = totalOf(String(Number(year) - 1)) <= homeLimit;
    const fits = mayBeHome && totalOf(year) + euro(germanNet(foreign)) <= homeLimit;
    const places = new Set(foreign.map((line: Raw) => line.taxedIn ?? calculation.country));
    if ([...places].join() !== (fits ? 'DE' : calculation.country)) found.faults.push(id);
    found[fits ? 'atHome' : 'crossed'] += 1;
    if (status === 'succeeded')
      plus(found.counted, year, euro(foreign.reduce((net: bigint, line: Raw) => net + BigInt(line.net), 0n)));
  }
  return found;
}
