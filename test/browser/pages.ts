import type { Browser, CDPSession, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { campaign } from '../support/seeded.ts';
import { launchBrowser } from '../support/shop/browser.ts';

interface Screen {
  locale: string;
  javaScript: boolean;
  width: number;
  dark: boolean;
}

/** What changes a page, its clock or its context for longer than one visit and cannot be taken back. */
const lasting = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'setExtraHTTPHeaders'],
  context: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'once', 'route', 'routeWebSocket'],
    ...['setExtraHTTPHeaders', 'setGeolocation', 'setDefaultNavigationTimeout', 'setDefaultTimeout'],
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
};

/** Notes that one of these methods is called. Returns a function that tells it and puts the methods back. */
function watch(target: object, methods: readonly string[]): () => boolean {
  let isCalled = false;
  const originals = methods.map((method) => [method, Reflect.get(target, method)] as const);
  for (const [method, original] of originals) {
    if (typeof original !== 'function') throw new TypeError(`Playwright has no ${method}`);
    const noting = (...values: unknown[]) => {
      isCalled = true;
      return original.apply(target, values);
    };
    Reflect.set(target, method, noting);
  }
  return () => {
    for (const [method, original] of originals) Reflect.set(target, method, original);
    return isCalled;
  };
}

/** Pages for visits. A page of a finished test is used again: a new one starts two processes and costs three times as much. */
export class Pages {
  readonly #idle = new Map<boolean, Page[]>();
  readonly #languages = new WeakMap<Page, { session: CDPSession; locale: string }>();
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  get isOpen(): boolean {
    return this.#browser.isConnected();
  }

  /** A page without cookies, storage or listeners. */
  async open({ locale, javaScript, width, dark }: Screen): Promise<Page> {
    const page = this.#idle.get(javaScript)?.pop() ?? (await this.#newPage(javaScript));
    const media = { colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' } as const;
    await Promise.all([
      page.setViewportSize({ width, height: 900 }),
      page.emulateMedia({ ...media, forcedColors: null, contrast: null }),
      this.#setLanguage(page, locale),
    ]);
    return page;
  }

  /** Takes the page back after the running test, unless the test changed it for longer. */
  lend(page: Page, { javaScript }: Screen): void {
    const { origin } = new URL(page.url());
    const context = page.context();
    const watched = [watch(page, lasting.page), watch(context, lasting.context), watch(page.clock, lasting.clock)];
    onTestFinished(async () => {
      const isChanged = watched.map((unwatch) => unwatch()).includes(true);
      const isElsewhere = context.pages().some((tab) => new URL(tab.url()).origin !== origin);
      if (isChanged || isElsewhere || page.isClosed()) return context.close();
      await clear(page);
      this.#idle.set(javaScript, [...(this.#idle.get(javaScript) ?? []), page]);
    });
  }

  /** Whether it has scripts cannot be changed on an open page. */
  async #newPage(javaScriptEnabled: boolean): Promise<Page> {
    return (await this.#browser.newContext({ javaScriptEnabled })).newPage();
  }

  /** Playwright sets the language of a new context only; these are the commands by which it does so. */
  async #setLanguage(page: Page, locale: string): Promise<void> {
    const before = this.#languages.get(page);
    if (before?.locale === locale) return;
    const session = before?.session ?? (await page.context().newCDPSession(page));
    this.#languages.set(page, { session, locale });
    await session.send('Emulation.setUserAgentOverride', { userAgent: '', acceptLanguage: locale });
    await session.send('Emulation.setLocaleOverride', { locale });
  }
}

/** What tests listen to. */
const heard = [
  ...['console', 'dialog', 'domcontentloaded', 'download', 'filechooser', 'frameattached', 'framedetached'],
  ...['framenavigated', 'load', 'pageerror', 'popup', 'request', 'requestfailed', 'requestfinished', 'response'],
];

/** A page that asks again after a pause would ask during the next visit. */
const endTimers = 'for (let timer = setTimeout(() => {}); timer > 0; timer -= 1) clearTimeout(timer)';

/** Undoes what the visit left behind, on the page that the visit ended on. */
async function clear(page: Page): Promise<void> {
  const context = page.context();
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  for (const event of heard) page.removeAllListeners(event);
  page.setDefaultTimeout(30_000);
  page.setDefaultNavigationTimeout(30_000);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([context.setOffline(false), context.clearPermissions(), context.clearCookies()]);
  await page.evaluate(`sessionStorage.clear(); localStorage.clear(); stop(); ${endTimers}`);
  await page.mouse.move(0, 0);
}

declare global {
  /** The pages of this process; the files that it runs use them one after another. */
  var pagesOfProcess: Promise<Pages> | undefined;
}

/** Nothing compares pictures: they are for people, who ask for them with CAMPAIGN=full. */
export const takesPictures = campaign(true, false);

/** The pages of this process. Their browser ends with it. */
export async function sharedPages(): Promise<Pages> {
  const known = await globalThis.pagesOfProcess?.catch(() => undefined);
  if (known?.isOpen) return known;
  globalThis.pagesOfProcess = launchBrowser({ takesPictures }).then((browser) => new Pages(browser));
  return globalThis.pagesOfProcess;
}
