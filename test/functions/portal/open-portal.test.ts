import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { payments, world } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import type { Api } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { openPortal, type PortalVisitor } from './portal-visitor.ts';

let api: Api;
let shop: Awaited<ReturnType<typeof openPortal>>;
beforeAll(async () => {
  shop = await openPortal();
  api = shop.api;
});
afterAll(() => shop.close());
afterEach(() => vi.restoreAllMocks());

let count = 0;
const newEmail = () => {
  count += 1;
  return `ann${count}@buyer.example`;
};

/** A buyer with an order, whose browser has a session of the portal. */
async function signedIn(): Promise<{ email: string; paymentId: string; visitor: PortalVisitor }> {
  const email = newEmail();
  const { paymentId } = await sell(api, { email });
  const visitor = shop.visitor();
  await visitor.signIn(email);
  return { email, paymentId, visitor };
}

const later = (seconds: number) => {
  const at = Date.now() + seconds * 1_000;
  vi.spyOn(world, 'now').mockImplementation(() => new Date(at));
};

describe('a request for a link to the portal', () => {
  it('gets the same answer after the same time for a buyer and a stranger, and mails only the buyer', async () => {
    const email = newEmail();
    await sell(api, { email });
    const timed = async (typed: string) => {
      const begin = performance.now();
      const { answer, mails } = await shop.visitor().ask(typed);
      return { answer, mails, ms: performance.now() - begin };
    };
    const [buyer, stranger] = [await timed(email), await timed('nobody@buyer.example')];
    expect([stranger.answer.status, stranger.answer.text]).toEqual([buyer.answer.status, buyer.answer.text]);
    expect(Object.keys(stranger.answer.headers)).toEqual(Object.keys(buyer.answer.headers));
    expect([buyer.mails.map(({ to }) => to), stranger.mails]).toEqual([[email], []]);
    for (const { ms } of [buyer, stranger]) expect(Math.abs((ms % 1_000) - 500)).toBeGreaterThan(100);
  });

  it('needs a valid e-mail address, and keeps the entry when it is refused', async () => {
    const { answer } = await shop.visitor().ask('nobody');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="nobody"');
    expect(answer.text).toContain('aria-describedby="email-fault"');
  });

  it('sends at most five mails an hour to one address', async () => {
    const email = newEmail();
    await sell(api, { email });
    const sent = await Promise.all(Array.from({ length: 7 }, () => shop.visitor().ask(email)));
    expect(new Set(sent.map(({ answer }) => answer.text)).size).toBe(1);
    expect(shop.mailsTo(email)).toHaveLength(5);
  });

  it('is refused to a network that has requested links for thirty addresses in an hour', async () => {
    const known = newEmail();
    await sell(api, { email: known });
    const ask = (email: string) => shop.visitor('203.0.113.80').ask(email);
    await Promise.all(Array.from({ length: 30 }, (_, index) => ask(`guess${index}@buyer.example`)));
    const [first, second] = [await ask('guess@buyer.example'), await ask(known)];
    expect([first.answer.status, second.answer.status]).toEqual([429, 429]);
    expect(shop.mailsTo(known)).toEqual([]);
  });

  it('cannot be posted from another site', async () => {
    const email = newEmail();
    await sell(api, { email });
    const { status } = await shop
      .visitor()
      .post('/portal', { step: 'link', email }, { 'sec-fetch-site': 'cross-site' });
    expect([status, shop.mailsTo(email)]).toEqual([404, []]);
  });
});

describe('a link to the portal', () => {
  useShortPauses();

  it('works once, and only by its button, not when it is opened', async () => {
    const email = newEmail();
    await sell(api, { email });
    const visitor = shop.visitor();
    const { token } = await visitor.link(email);
    for (let opened = 0; opened < 3; opened += 1)
      expect((await visitor.get(`/portal/confirm?token=${token}`)).text).toContain('Show my purchases');
    expect((await visitor.press(token)).status).toBe(303);
    expect((await visitor.get('/portal')).text).toContain(email);
    expect((await visitor.press(token)).status).toBe(410);
  });

  it('opens one session, even if its button is pressed several times at the same time', async () => {
    const email = newEmail();
    await sell(api, { email });
    const visitor = shop.visitor();
    const { token } = await visitor.link(email);
    const cookies = visitor.jar();
    const pressed = await Promise.all(Array.from({ length: 5 }, () => shop.visitor(undefined, cookies).press(token)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
  });

  it('does not work in another browser, and still works in its own browser afterwards', async () => {
    const email = newEmail();
    await sell(api, { email });
    const [visitor, thief] = [shop.visitor(), shop.visitor()];
    const { token } = await visitor.link(email);
    await thief.ask('thief@buyer.example');
    expect((await thief.press(token)).status).toBe(403);
    expect((await thief.get('/portal')).text).not.toContain(email);
    expect((await visitor.press(token)).status).toBe(303);
  });

  it('expires after fifteen minutes', async () => {
    const email = newEmail();
    await sell(api, { email });
    const visitor = shop.visitor();
    const { token } = await visitor.link(email);
    later(15 * 60 + 1);
    expect((await visitor.press(token)).status).toBe(410);
  });

  it('is refused when another site sends its form', async () => {
    const email = newEmail();
    await sell(api, { email });
    const visitor = shop.visitor();
    const { token } = await visitor.link(email);
    expect((await visitor.post('/portal/confirm', { token }, { 'sec-fetch-site': 'cross-site' })).status).toBe(404);
    expect((await visitor.press(token)).status).toBe(303);
  });
});

describe('a click on the button of a portal link', () => {
  useShortPauses();

  it('leads a buyer with one purchase straight to it, and others to the list', async () => {
    const email = newEmail();
    const { paymentId } = await sell(api, { email });
    const visitor = shop.visitor();
    const pressed = await visitor.press((await visitor.link(email)).token);
    expect(pressed.headers['location']).toBe(`/orders/${paymentId}?lang=en`);
    expect((await visitor.get(`/orders/${paymentId}`)).status).toBe(200);
    expect((await visitor.get('/portal')).text).toContain(paymentId);
    await sell(api, { email });
    const again = await visitor.press((await visitor.link(email)).token);
    expect(again.headers['location']).toBe('/portal?lang=en');
  });
});

describe('the session of the portal', () => {
  useShortPauses();

  it('is kept in a cookie that scripts cannot read and that only the portal’s pages get', async () => {
    const { visitor } = await signedIn();
    expect(visitor.lastSet('portal')).toMatch(
      /^portal=[A-Za-z0-9]{43}; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax/,
    );
  });

  it('ends after an hour, and at once with its sign-out button', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const old = shop.visitor(undefined, one.visitor.jar());
    expect((await one.visitor.post('/portal', { step: 'end' })).text).toContain('You are signed out.');
    expect((await old.get('/portal')).text).not.toContain(one.email);
    later(3_601);
    expect((await two.visitor.get('/portal')).text).not.toContain(two.email);
  });

  it('does not end when another site sends the sign-out form', async () => {
    const { visitor, email } = await signedIn();
    await visitor.post('/portal', { step: 'end' }, { 'sec-fetch-site': 'cross-site' });
    expect((await visitor.get('/portal')).text).toContain(email);
  });
});

describe('the orders in the portal', () => {
  useShortPauses();

  it('are all listed, newest first, over several pages, and without secrets', async () => {
    const email = newEmail();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.unshift((await sell(api, { email })).paymentId);
    const visitor = shop.visitor();
    await visitor.signIn(email.toUpperCase());
    const first = await visitor.get('/portal');
    const older = /href="(\/portal\?[^"]*after=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visitor.get(older);
    const listed = (text: string) => [...text.matchAll(/action="\/portal\/orders\/(pay_\w+)/g)].map(([, id]) => id);
    expect([...listed(first.text), ...listed(second.text)]).toEqual(ids);
    expect(second.text).not.toContain('after=');
    for (const id of ids) {
      const payment = await payments().get(id);
      const secret = new URL(await orderUrlOf(payment)).searchParams.get('secret') ?? '?';
      for (const { text } of [first, second]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(payment.documentSecret);
      }
    }
  });

  it('are only those of the buyer’s e-mail address', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const { text } = await one.visitor.get('/portal');
    expect(text).toContain(one.paymentId);
    expect(text).not.toContain(other.paymentId);
  });

  it('open with one click, which sets a cookie for this order only', async () => {
    const { visitor, paymentId } = await signedIn();
    const opened = await visitor.post(`/portal/orders/${paymentId}`, { step: 'open' });
    expect([opened.status, opened.headers['location']]).toEqual([303, `/orders/${paymentId}?lang=en`]);
    expect(visitor.lastSet('order')).toContain(`Path=/orders/${paymentId};`);
    expect((await visitor.get(`/orders/${paymentId}`)).text).toContain('Field Guide');
  });

  it('do not open without a session, in another buyer’s session, by GET, or from another site', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    const path = `/portal/orders/${owner.paymentId}`;
    const answers = [
      await shop.visitor().post(path, { step: 'open' }),
      await other.visitor.post(path, { step: 'open' }),
      await owner.visitor.get(path),
      await owner.visitor.post(path, { step: 'open' }, { 'sec-fetch-site': 'cross-site' }),
      await other.visitor.post(`/portal/orders/pay_${'x'.repeat(21)}`, { step: 'open' }),
    ];
    for (const { cookies } of answers) expect(cookies.join()).not.toContain('order=');
    expect(answers.map(({ status }) => status)).toEqual([303, 404, 303, 404, 404]);
    expect(answers[1]?.text).toBe(answers[4]?.text);
  });

  it('move to the e-mail address that the merchant entered for the customer', async () => {
    const { visitor, paymentId } = await signedIn();
    const { customer } = await payments().get(paymentId);
    const moved = newEmail();
    await api.call(`PATCH /customers/${customer.id}`, { body: { email: moved } });
    expect((await visitor.get('/portal')).text).not.toContain(paymentId);
    expect((await visitor.post(`/portal/orders/${paymentId}`, { step: 'open' })).status).toBe(404);
    const now = shop.visitor();
    await now.signIn(moved);
    expect((await now.get('/portal')).text).toContain(paymentId);
  });

  it('disappear when the buyer’s erasure starts, and then no link is mailed', async () => {
    const { visitor, paymentId, email } = await signedIn();
    const { customer } = await payments().get(paymentId);
    const before = shop.mailsTo(email).length;
    expect((await api.call(`POST /customers/${customer.id}/erase`)).status).toBe(200);
    expect((await visitor.get('/portal')).text).not.toContain(paymentId);
    await shop.visitor().ask(email);
    expect(shop.mailsTo(email)).toHaveLength(before);
  });
});

describe('hostile input to the portal', () => {
  it.each(['email', 'step', 'token'])('of 300 kB in the field %s has no effect', async (field) => {
    for (const path of ['/portal', '/portal/confirm', `/portal/orders/pay_${'x'.repeat(21)}`]) {
      const { status } = await shop.visitor().post(path, { step: 'link', [field]: 'x'.repeat(300_000) });
      expect([303, 413]).toContain(status);
    }
  });

  it.each(['name', 'language', 'key', 'device', 'step'])(
    'of 300 kB in the field %s of a signed-in buyer has no effect',
    async (field) => {
      const { visitor, paymentId } = await signedIn();
      for (const path of ['/portal', '/portal/keys', '/portal/data', `/portal/orders/${paymentId}`]) {
        const { status } = await visitor.post(path, { step: 'name', name: 'Ann', [field]: 'x'.repeat(300_000) });
        expect([path, status]).toEqual([path, 413]);
      }
    },
  );

  it('with many guessed addresses finds no buyer: every answer is the same, and no mail is sent', async () => {
    const [random, cases] = [seeded(11), campaign(10_000, 1_000, 200)];
    const { email } = await signedIn();
    const before = shop.mailsTo(email).length;
    const variants = () => {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 20) },
        () => 'abcxyz0189.+-_'[Math.floor(random() * 14)],
      );
      return (
        [`${text.join('')}@buyer.example`, `${email.replace('@', `${text.join('')}@`)}`][Math.floor(random() * 2)] ?? ''
      );
    };
    const answers = new Set<string>();
    for (let asked = 0; asked < cases; asked += 100) {
      const batch = await Promise.all(Array.from({ length: 100 }, () => shop.visitor().ask(variants())));
      for (const { answer, mails } of batch.filter(({ answer: { status } }) => status !== 422)) {
        expect(mails).toEqual([]);
        answers.add(`${answer.status} ${answer.text}`);
      }
    }
    answers.add(
      await shop
        .visitor()
        .ask(email)
        .then(({ answer }) => `${answer.status} ${answer.text}`),
    );
    expect(answers.size).toBe(1);
    expect(shop.mailsTo(email)).toHaveLength(before + 1);
  });

  it('with invented cookies and tokens opens nothing', async () => {
    const forged = shop.visitor(undefined, new Map([['portal', 'x'.repeat(43)]]));
    expect((await forged.get('/portal')).text).toContain('name="email"');
    expect((await forged.press('x'.repeat(43))).status).toBe(410);
  });
});
