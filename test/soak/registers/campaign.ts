import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { type RegisterBehaviour, troubles, viesErrors } from '../../../infra/local/registers/register-behaviours.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { between, inTurn, pickOne, seeded, tally, times } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

/** What a register says at last: at the checkout (0), at the first to the fourth repetition, or never. */
interface Buyer {
  id: string;
  cart: 'inclusive' | 'exclusive' | 'both';
  /** How the register behaves until it has a verdict. */
  trouble: RegisterBehaviour;
  verdict: 'valid' | 'valid without a name' | 'invalid';
  answersAt: number;
  isNamed: boolean;
}

interface Sold extends Buyer {
  paymentId: string;
  /** From the register's hearing the question to the buyer's going on. */
  heldMs: number;
  /** Of the whole checkout, on this machine at this moment. */
  milliseconds: number;
}

export interface RegisterCampaign {
  lines: string[];
  violations: string[];
}

const withoutVerdict: readonly RegisterBehaviour[] = [
  ...viesErrors.filter((error) => error !== 'INVALID_INPUT' && error !== 'INVALID_REQUESTER_INFO'),
  ...troubles,
];

/** A French number whose two check digits are right. */
function frenchId(random: () => number): string {
  const siren = String(between(random, 100_000_000, 999_999_999));
  return `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, '0')}${siren}`;
}

function buyerOf(random: () => number): Buyer {
  const trouble = pickOne(random, withoutVerdict);
  const answersAt = between(random, 0, 5);
  return {
    id: frenchId(random),
    cart: pickOne(random, ['inclusive', 'exclusive', 'both'] as const),
    trouble,
    verdict: pickOne(random, ['valid', 'valid', 'valid without a name', 'invalid'] as const),
    // the worker waits longer than the checkout, so what is only slow answers it
    answersAt: trouble === 'slow' ? Math.min(answersAt, 1) : answersAt,
    isNamed: random() < 0.8,
  };
}

const repetitions = [1, 5, 18, 48];

/** The longest that a register may hold a checkout. */
const mostMs = 2_000;

/** Sells to businesses while their register has bad days, asks again for three days, and compares every payment with what the register said at last. */
export async function runRegisterCampaign({
  checkouts,
  seed,
}: {
  checkouts: number;
  seed: number;
}): Promise<RegisterCampaign> {
  const random = seeded(seed);
  const registers = await startFakeRegisters({ slowMs: 4_000 });
  const merchant = Merchant.parse({ ...testMerchant, taxId: 'DE136695976' });
  const api = await startApi(merchant, { REGISTER_URL: registers.url });
  try {
    const buyers = times(checkouts).map(() => buyerOf(random));
    let round = 0;
    const heard = playRegister(registers, buyers, () => round);
    const shop = await openShop(api);
    await sell(api, shop, buyerOf(seeded(seed + 1)), heard); // reads the code of the functions
    const sold = await inTurn(buyers, 4, (buyer) => sell(api, shop, buyer, heard));
    for (const hours of repetitions) {
      round += 1;
      clock.forward({ hours, minutes: 1 });
      await sweep({ isAutomatic: true });
    }
    const found = await Promise.all(sold.map(async (one) => violationsOf(one, await payments().get(one.paymentId))));
    const contradictions = await moneyContradictions(await scanRows(table().client, table().name));
    const slow = sold.filter(({ heldMs }) => heldMs > mostMs);
    const violations = [
      ...found.flat(),
      ...contradictions,
      ...slow.map(({ id, heldMs, trouble }) => `${id}: the register held the checkout for ${heldMs} ms (${trouble})`),
    ];
    return { lines: describe(sold, registers, violations, seed), violations };
  } finally {
    clock.run();
    await api.stop();
    await registers.stop();
  }
}

/** Returns when each question was heard first. */
function playRegister(registers: FakeRegisters, buyers: readonly Buyer[], roundNow: () => number): Map<string, number> {
  const known = new Map(buyers.map((buyer) => [buyer.id, buyer]));
  const heard = new Map<string, number>();
  registers.behave = ({ id }) => {
    const buyer = known.get(id);
    if (!buyer) return 'invalid';
    if (!heard.has(id)) heard.set(id, performance.now());
    return roundNow() >= buyer.answersAt ? buyer.verdict : buyer.trouble;
  };
  registers.nameOf = (id) => (known.get(id)?.isNamed ? `EXEMPLE ${id} SARL` : 'ANOTHER COMPANY');
  return heard;
}

interface Shop {
  inclusive: string;
  exclusive: string;
}

async function openShop(api: Api): Promise<Shop> {
  const price = { type: 'one_time_price', currency: 'EUR' };
  return {
    inclusive: await addProduct(api, { tax_category: 'saas', price: { ...price, price: 12_000, tax_inclusive: true } }),
    exclusive: await addProduct(api, {
      tax_category: 'saas',
      price: { ...price, price: 10_000, tax_inclusive: false },
    }),
  };
}

/** Pays, as a consumer where the id is refused. */
async function sell(api: Api, shop: Shop, buyer: Buyer, heard: ReadonlyMap<string, number>): Promise<Sold> {
  const products = buyer.cart === 'both' ? [shop.inclusive, shop.exclusive] : [shop[buyer.cart]];
  const session = await createSession(
    api,
    products.map((product_id) => ({ product_id, quantity: 1 })),
  );
  const business = { tax_id: buyer.id, customer_business_name: `Exemple ${buyer.id}` };
  const pay = async (fields: object) => {
    const billing_address = { country: 'FR', city: 'Lyon', street: '1 rue', zipcode: '69001' };
    const person = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
    const begun = performance.now();
    const headers = { 'content-type': 'application/json' };
    const body = { billing_address, ...person, ...fields };
    const answer = await api.call(`POST /checkout/${session}/pay`, { body, key: null, headers });
    const ended = performance.now();
    return { answer, ended, milliseconds: Math.round(ended - begun) };
  };
  const first = await pay(business);
  const { answer } = first.answer.status === 422 ? await pay({}) : first;
  const heldMs = Math.round(first.ended - (heard.get(buyer.id) ?? first.ended));
  return { ...buyer, paymentId: answer.body.payment_id, heldMs, milliseconds: first.milliseconds };
}

/** 20 % inside 120.00, and beside 100.00: 20.00 of each. */
const taxOfLine = 2_000;

/** Compares a payment with what the register said at last. */
function violationsOf(sold: Sold, payment: Payment): string[] {
  const count = sold.cart === 'both' ? 2 : 1;
  const exclusive = sold.cart === 'inclusive' ? 0 : taxOfLine;
  const isConfirmed = sold.verdict !== 'invalid';
  const atCheckout = sold.answersAt === 0;
  const later = !atCheckout && sold.answersAt <= repetitions.length;
  const charged = atCheckout && isConfirmed ? 0 : count * taxOfLine;
  const mayCorrect = sold.isNamed || sold.verdict === 'valid without a name';
  const isCorrected = later && isConfirmed && mayCorrect;
  const returned = payment.lines.reduce((sum, { returnedTax }) => sum + returnedTax, 0);
  const state = later && isConfirmed ? (mayCorrect ? 'made' : 'proposed') : undefined;
  const claims: [boolean, string][] = [
    [payment.status === 'succeeded', 'is not paid'],
    [payment.tax === charged, `was charged ${payment.tax} tax instead of ${charged}`],
    [returned === (isCorrected ? charged : 0), `has ${returned} tax returned`],
    [payment.refunded === (isCorrected ? exclusive : 0), `paid back ${payment.refunded}`],
    [payment.refundable === payment.gross - (isCorrected ? exclusive : 0), 'has another rest'],
    [payment.correction?.status === state, `its correction is ${payment.correction?.status} instead of ${state}`],
    [payment.recheckAt === undefined, 'still waits for its register'],
  ];
  return claims
    .filter(([holds]) => !holds)
    .map(([, fault]) => `${payment.id} (${sold.verdict} at ${sold.answersAt}): ${fault}`);
}

function describe(
  sold: readonly Sold[],
  registers: FakeRegisters,
  violations: readonly string[],
  seed: number,
): string[] {
  const slowest = Math.max(...sold.map(({ milliseconds }) => milliseconds));
  const longest = Math.max(...sold.map(({ heldMs }) => heldMs));
  return [
    `registers: seed ${seed}, ${sold.length} checkouts, ${registers.questions.length} questions`,
    `answered at: ${JSON.stringify(tally(sold.map(({ answersAt }) => answersAt)))}, with ${JSON.stringify(tally(sold.map(({ verdict }) => verdict)))}`,
    `until then: ${JSON.stringify(tally(sold.map(({ trouble }) => trouble)))}`,
    `longest wait for a register, to the end of the checkout: ${longest} ms; slowest checkout: ${slowest} ms`,
    violations.length === 0
      ? 'no register held a checkout longer than 2 s, and no tax is lost or kept that should not be'
      : `VIOLATED:\n  ${violations.slice(0, 20).join('\n  ')}`,
  ];
}
