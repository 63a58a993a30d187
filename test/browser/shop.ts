import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page, Route } from 'playwright-core';
import { type ApiClient, apiClient } from '../../infra/local/demo/api-client.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { type LoopbackServer, listenOnLoopback } from '../../infra/local-aws/loopback-server.ts';
import { type Pages, sharedPages, takesPictures } from './pages.ts';

interface Price {
  price: number;
  currency?: string;
  tax_inclusive?: boolean;
  pay_what_you_want?: boolean;
  suggested_price?: number;
  maximum_price?: number;
  purpose?: string;
  show_net?: boolean;
  pricing_mode?: 'by_currency' | 'by_country';
}

interface ProductFields {
  name?: string;
  description?: string;
  tax_category?: string;
}

export const euroBook: Price = { price: 1_999, currency: 'EUR', tax_inclusive: true };
export const supportPrice: Price = {
  price: 500,
  currency: 'EUR',
  tax_inclusive: true,
  pay_what_you_want: true,
  suggested_price: 1_500,
};

/** Sends a request of the page's script like a plain form, so it is answered as by a function that knows no script. */
export function asByForm(route: Route): Promise<void> {
  const { 'hx-request': _, ...headers } = route.request().headers();
  return route.continue({ headers });
}

/** What buyers come with. Every run has all four, spread over the files; `CAMPAIGN=full` has all of them in each. */
export const devices = {
  desktop: { where: 'desktop', width: 1_000, javaScript: true },
  phone: { where: 'phone', width: 320, javaScript: true },
  scriptlessDesktop: { where: 'desktop without JavaScript', width: 1_000, javaScript: false },
  scriptlessPhone: { where: 'phone without JavaScript', width: 320, javaScript: false },
} as const;
export const allDevices = Object.values(devices);

/** The screens of merchants. Every run has all three, spread over the files; `npm run guards` has all of them in each. */
export const merchantScreens = {
  german: { locale: 'de-DE', width: 375 },
  french: { locale: 'fr-FR', width: 320 },
  english: { locale: 'en-GB', width: 1_280 },
} as const;
export const allMerchantScreens = Object.values(merchantScreens);

interface CartItem {
  product_id: string;
  quantity: number;
  amount?: number;
  adjustable_quantity?: { minimum?: number; maximum: number };
}

/** The sandbox and a merchant's own site beside it. */
export interface BrowserShop {
  url: string;
  api: ApiClient;
  /** Where buyers return to. */
  returnUrl: string;
  /** Where they would return to if the site had not moved to another origin. */
  movedUrl: string;
  product(price: Price, fields?: ProductFields): Promise<string>;
  /** A checkout for products, one of each unless said otherwise; its address. */
  checkout(products: readonly (string | CartItem)[], fields?: object): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  payment(checkoutUrl: string): Promise<any>;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
type Json = any;

export async function openBrowserShop(environment: Readonly<Record<string, string>> = {}): Promise<BrowserShop> {
  const sandbox: Sandbox = await startSandbox({ port: 0, quiet: true, environment });
  await seedLocalKey(sandbox.table);
  const site: LoopbackServer = await listenOnLoopback(({ url, headers }, response) => {
    if (url?.startsWith('/moved')) {
      const location = `http://${headers.host}${url.replace('moved', 'thanks')}`.replace('127.0.0.1', 'localhost');
      return void response.writeHead(301, { location }).end();
    }
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Shop</title><h1>Welcome back</h1>');
  });
  const api = apiClient(sandbox.url, localKey);
  return {
    url: sandbox.url,
    api,
    returnUrl: `http://127.0.0.1:${site.port}/thanks?order=7`,
    movedUrl: `http://127.0.0.1:${site.port}/moved?order=7`,
    product: async ({ pricing_mode, ...price }, fields = {}) => {
      const body = { name: 'Field Guide', description: '210 pages, PDF and EPUB.', tax_category: 'e_book', ...fields };
      const product: Json = await api.post('/products', {
        ...body,
        pricing_mode,
        price: { type: 'one_time_price', ...price },
      });
      return product.product_id;
    },
    checkout: async (products, fields = {}) => {
      const cart = products.map((one) => (typeof one === 'string' ? { product_id: one, quantity: 1 } : one));
      const session: Json = await api.post('/checkouts', { product_cart: cart, ...fields });
      return session.checkout_url;
    },
    payment: async (checkoutUrl) => {
      const session: Json = await api.get(`/checkouts/${checkoutUrl.split('/').at(-1)}`);
      return session.payment_id ? api.get(`/payments/${session.payment_id}`) : undefined;
    },
    stop: async () => {
      await site.close();
      await sandbox.stop();
    },
  };
}

interface Visitor {
  page: Page;
  /** What should not have happened: script errors, refused content, requests to elsewhere. */
  complaints: string[];
}

const picturesDirectory = fileURLToPath(new URL('screenshots', import.meta.url));

/** Visitors who note everything that goes wrong. Stopping closes the pages that stayed open. */
export async function startBrowsing(): Promise<{ visit: Visit; stop: () => Promise<void> }> {
  if (takesPictures) mkdirSync(picturesDirectory, { recursive: true });
  const pages = await sharedPages();
  const staying: Page[] = [];
  return {
    visit: async (address, options) => {
      const visitor = await visit(pages, address, options);
      if (options?.stays) staying.push(visitor.page);
      return visitor;
    },
    stop: async () => void (await Promise.all(staying.map((page) => page.context().close()))),
  };
}

type Visit = (address: string, options?: VisitOptions) => Promise<Visitor>;

interface VisitOptions {
  width?: number;
  locale?: string;
  dark?: boolean;
  javaScript?: boolean;
  /** Where else requests may go: the merchant's own site. */
  leadsTo?: string;
  /** The page stays open for the tests after this one. */
  stays?: boolean;
  /** The merchant has signed in before. */
  isSignedIn?: boolean;
}

async function visit(
  pages: Pages,
  address: string,
  { width = 1_000, locale = 'en-US', dark = false, javaScript = true, leadsTo, stays, isSignedIn }: VisitOptions = {},
) {
  const screen = { width, locale, dark, javaScript };
  const page = await pages.open(screen);
  const complaints = complaintsOf(page, [new URL(address).origin, ...(leadsTo ? [new URL(leadsTo).origin] : [])]);
  if (isSignedIn) await page.context().addCookies([await sessionAt(new URL(address).origin)]);
  await page.goto(address);
  if (isSignedIn && page.url().includes('/sign-in')) throw new Error(`The visit is not signed in at ${address}.`);
  if (!stays) pages.lend(page, screen);
  return { page, complaints };
}

/** The cookie of a merchant's session, without the form: the tests of signing in fill that in. */
async function sessionAt(url: string): Promise<{ name: string; value: string; url: string }> {
  const { headers } = await fetch(`${url}/dashboard/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: localKey }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.getSetCookie()[0] ?? '') ?? [];
  return { name, value, url };
}

function complaintsOf(page: Page, origins: readonly string[]): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const isRefusal = /status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const isOwn = origins.some((origin) => request.url().startsWith(`${origin}/`));
    if (!isOwn) complaints.push(`A request to ${request.url()}`);
  });
  return complaints;
}

export async function picture(page: Page, name: string): Promise<void> {
  if (takesPictures) await page.screenshot({ path: join(picturesDirectory, `${name}.png`), fullPage: true });
}

/** axe-core in ASCII: the browser takes more than twice as long to read a message with one other letter in it. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replace(
  /[^\0-\x7f]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** A page keeps its session: the next load then needs one message instead of four. */
const sessions = new WeakMap<Page, CDPSession>();

/** Gives a page axe-core by the browser's own protocol, which takes half as long as Playwright's way. */
async function loadAxe(page: Page): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axe, silent: true });
  if (exceptionDetails) throw new Error(`axe-core does not start: ${exceptionDetails.text}`);
}

/** Runs axe-core, which a page keeps once it has it; the page's policy stays in force. Only faults leave the page. */
async function faultsBy(page: Page, options: object): Promise<string[]> {
  const run = (): Promise<string[] | null> =>
    page.evaluate(`"axe" in globalThis ? axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => id + ': ' + html + ' ' + failureSummary))) : null`);
  const faults = await run();
  if (faults) return faults;
  await loadAxe(page);
  return (await run()) ?? ['axe-core is not there.'];
}

/** What axe-core finds, WCAG 2.2 AA and its best practices. */
export const accessibilityFaults = (page: Page): Promise<string[]> =>
  faultsBy(page, { rules: { 'target-size': { enabled: true } } });

/** What axe-core finds with the colours alone, on a page that it has looked at in the other scheme. */
export const colourFaults = (page: Page): Promise<string[]> =>
  faultsBy(page, { runOnly: ['color-contrast', 'link-in-text-block'] });

/** How much wider the page is than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

export const cardChoice = (page: Page, lastFour: string) => page.locator(`input[name=card][value$="${lastFour}"]`);

/** Chooses a test card, in the box that is folded until somebody wants one. */
export async function chooseCard(page: Page, lastFour: string): Promise<void> {
  if (!(await cardChoice(page, lastFour).isVisible())) await page.click('#cards > summary');
  await cardChoice(page, lastFour).check();
}

/** Waits until the page says that this is what is paid. */
export const due = (page: Page, amount: string): Promise<void> => page.locator(`#due:text-is("${amount}")`).waitFor();

/** Fills in who buys; the tax follows when a country is chosen. */
export async function introduce(
  page: Page,
  fields: { country?: string; email?: string; name?: string } = {},
): Promise<void> {
  await page.fill('#email', fields.email ?? 'ada@example.com');
  await page.fill('#name', fields.name ?? 'Ada Lovelace');
  if (fields.country) await page.selectOption('#country', fields.country);
}

/** The rows below the order, as they are read: `['Total €19.99', …]`. */
export const totals = async (page: Page): Promise<string[]> => {
  const rows: string[] = await page.evaluate(
    '[...document.querySelectorAll(".totals > div")].map((row) => [...row.children].map((cell) => cell.textContent).join(" "))',
  );
  return rows.map((row) => row.replace(/[\u00A0\u202F]/g, ' ').trim());
};
