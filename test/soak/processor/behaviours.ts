import { finishSession, paySession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { paymentMeansNamed } from '../../../infra/local/stripe/payment-means.ts';
import { between, pickOne } from '../../support/seeded.ts';
import type { Tab } from './buyer.ts';
import type { ProcessorWorld } from './processor-world.ts';

const card = '4242424242424242';
const declinedCards = ['4000000000000002', '4000000000009995'];
const stepCard = '4000000000003220';

export const hourMinutes = 60;
const dayMinutes = 1_440;

/** What a buyer does from the filled form on. */
export type Behaviour = (world: ProcessorWorld, tab: Tab, random: () => number) => Promise<void>;

const referenceIn = (url: string): string => url.split('/').at(-1) ?? '';

/** Some come back, some close the page: then a notification or the sweep has to find the payment. */
async function payAndLeave(world: ProcessorWorld, tab: Tab, url: string, random: () => number, means = card) {
  if (!tab.isAtProcessor(url)) return void world.count('buyers who were not led to the processor');
  await world.time.sleep(between(random, 0, 9));
  const answer = await tab.payThere(url, means, means === stepCard ? 'yes' : undefined);
  if (answer.status === 410) world.count('pages that had expired');
  if (random() < 0.4) return void world.count('buyers who closed the page');
  world.count('buyers who came back');
  await tab.comeBack();
}

const buyWith =
  (means: string): Behaviour =>
  async (world, tab, random) =>
    payAndLeave(world, tab, await tab.payButton(), random, means);

/** Presses in two tabs at the same time, and pays on the page that each of them shows. */
const twoTabs =
  (fields: Record<string, string>): Behaviour =>
  async (world, tab, random) => {
    const second = tab.another();
    if (Object.keys(fields).length > 0) await second.fillIn(fields);
    const urls = await world.time.together([() => tab.payButton(), () => second.payButton()]);
    if (new Set(urls).size === 1) world.count('two tabs that were led to the same page');
    await Promise.all(
      [tab, second].map(async (one, index) => {
        const url = urls[index] ?? '';
        if (one.isAtProcessor(url)) await one.payThere(url, card);
      }),
    );
    if (random() < 0.5) await tab.comeBack();
  };

/** The buyer's way to have the page closed; whether it is. */
async function changeSomething(tab: Tab): Promise<void> {
  for (let tries = 0; tries < 4; tries += 1) if ((await tab.change())?.status === 303) return;
}

/** Money for a page that both sides had given up, as a processor's books can show it after all. */
function payAfterAll(world: ProcessorWorld, url: string): void {
  const { account } = world.fake;
  const session = sessionById(account, referenceIn(url));
  if (session.status !== 'expired') return;
  world.late.add(session.id);
  Object.assign(session, { status: 'open' });
  paySession(account, session, paymentMeansNamed(card));
  world.count('late payments');
}

const finishLater =
  (outcome: 'succeeded' | 'failed'): Behaviour =>
  async (world, tab, random) => {
    const url = await tab.payButton();
    await payAndLeave(world, tab, url, random, outcome === 'succeeded' ? 'debit' : 'debit-fails');
    if (!tab.isAtProcessor(url)) return;
    await world.time.sleep(between(random, 1, 4) * dayMinutes);
    const session = sessionById(world.fake.account, referenceIn(url));
    if (session.status !== 'complete' || session.payment_status === 'paid') return;
    finishSession(world.fake.account, session, outcome);
    world.count(`debits that ${outcome}`);
  };

/** Two of these in each round, because few of them meet the moment that they are about. */
export const rareMoments = ['closes and pays at the same moment', 'pays before we know the page', 'pays in two tabs'];

export const behaviours: Readonly<Record<string, Behaviour>> = {
  'pays with a card': buyWith(card),
  'confirms by 3-D Secure': buyWith(stepCard),
  'pays with a card that is disputed': buyWith('4000000000000259'),
  'pays with a card whose refunds take a while': buyWith('4000000000007726'),
  'pays with a card whose refunds come back': buyWith('4000000000005126'),
  'pays by debit, whose refunds wait for its money': buyWith('debit-settling'),
  'pays by transfer, whose refunds ask for an account': buyWith('transfer'),
  'pays by debit, which arrives': finishLater('succeeded'),
  'pays by debit, which bounces': finishLater('failed'),
  'goes back, and on': async (world, tab, random) => {
    await tab.payButton();
    await world.time.sleep(between(random, 1, 90));
    await payAndLeave(world, tab, await tab.wayOn(), random);
  },
  'goes back, and presses again': async (world, tab, random) => {
    await tab.payButton();
    await world.time.sleep(between(random, 1, 30));
    await payAndLeave(world, tab, await tab.payButton(), random);
  },
  'changes something': async (world, tab, random) => {
    await tab.payButton();
    await world.time.sleep(between(random, 1, 90));
    await changeSomething(tab);
    const { productId, amount } = tab.cart;
    await tab.fillIn({ email: 'other@example.com', ...(amount && { [`amount.${productId}`]: '12.34' }) });
    if (amount) world.count('amounts that were changed');
    await payAndLeave(world, tab, await tab.payButton(), random);
  },
  'pays in two tabs': twoTabs({}),
  'pays in two tabs as two people': twoTabs({ email: 'other@example.com' }),
  'pays after closing': async (world, tab, random) => {
    const url = await tab.payButton();
    await changeSomething(tab);
    if (!tab.isAtProcessor(url)) return;
    const { status } = await tab.payThere(url, card);
    world.count(status === 410 ? 'payments refused after closing' : 'payments that closing came too late for');
    if (random() < 0.5) await tab.comeBack();
  },
  'closes and pays at the same moment': async (world, tab, random) => {
    const url = await tab.payButton();
    if (!tab.isAtProcessor(url)) return;
    const pay = async () => {
      await new Promise((resolve) => setTimeout(resolve, between(random, 0, 12)));
      const { status } = await tab.payThere(url, card);
      world.count(status === 410 ? 'races that closing won' : 'races that paying won');
    };
    await Promise.all([tab.change(), pay()]);
    await tab.comeBack();
  },
  'pays after the page has expired': async (world, tab, random) => {
    const url = await tab.payButton();
    await world.time.sleep(between(random, 115, 200));
    if (!tab.isAtProcessor(url)) return;
    const { status } = await tab.payThere(url, card);
    world.count(status === 410 ? 'payments refused after expiry' : 'payments just before expiry');
  },
  'pays late, for an order that is open': async (world, tab, random) => {
    const url = await tab.payButton();
    await world.time.sleep(between(random, 125, 600));
    if (tab.isAtProcessor(url)) payAfterAll(world, url);
  },
  'pays late, for an order that is paid': async (world, tab, random) => {
    const url = await tab.payButton();
    await changeSomething(tab);
    await tab.fillIn({ name: 'Another Name' });
    await payAndLeave(world, tab, await tab.payButton(), random);
    await world.time.sleep(between(random, 125, 600));
    if (tab.isAtProcessor(url)) payAfterAll(world, url);
  },
  'pays before we know the page': async (world, tab, random) => {
    const first = await tab.press({ at: 1, step: 'after POST checkout/sessions' });
    const known = [...world.fake.account.sessions.values()].filter(({ success_url }) =>
      success_url?.includes(tab.cart.sessionId),
    );
    const [there] = known;
    if (first === undefined && there?.status === 'open') {
      paySession(world.fake.account, there, paymentMeansNamed(card));
      return void world.count('payments before their reference was committed');
    }
    await payAndLeave(world, tab, await tab.payButton(), random);
  },
  'is declined, then pays': async (world, tab, random) => {
    const url = await tab.payButton();
    if (!tab.isAtProcessor(url)) return;
    await tab.payThere(url, pickOne(random, declinedCards));
    world.count('declines');
    await payAndLeave(world, tab, url, random);
  },
  'refuses 3-D Secure, then pays': async (world, tab, random) => {
    const url = await tab.payButton();
    if (!tab.isAtProcessor(url)) return;
    await tab.payThere(url, stepCard, 'no');
    world.count('steps that were refused');
    await payAndLeave(world, tab, url, random);
  },
  leaves: async (_world, tab) => {
    await tab.payButton();
  },
};
