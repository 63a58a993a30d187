import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

interface Screen {
  locale: string;
  javaScript: boolean;
  width: number;
  dark: boolean;
}

/** What changes a page, its clock or its context for longer than one visit. */
const lasting = {
  page: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'once', 'route', 'routeWebSocket'],
    ...['emulateMedia', 'setDefaultNavigationTimeout', 'setDefaultTimeout', 'setExtraHTTPHeaders'],
  ],
  context: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'once', 'route', 'routeWebSocket', 'newPage'],
    ...['grantPermissions', 'setExtraHTTPHeaders', 'setGeolocation', 'setOffline'],
    ...['setDefaultNavigationTimeout', 'setDefaultTimeout'],
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

/** Pages for visits. A page of a finished test is used again: a new one with its process takes three times as long. */
export class Pages {
  readonly #idle = new Map<string, Page[]>();
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A page without cookies, storage or listeners. */
  async open(screen: Screen): Promise<Page> {
    const viewport = { width: screen.width, height: 900 };
    const media = { colorScheme: screen.dark ? 'dark' : 'light', reducedMotion: 'reduce' } as const;
    const idle = this.#idle.get(kindOf(screen))?.pop();
    if (idle) {
      await Promise.all([idle.setViewportSize(viewport), idle.emulateMedia(media)]);
      return idle;
    }
    const { locale, javaScript } = screen;
    const options: BrowserContextOptions = { viewport, locale, javaScriptEnabled: javaScript, ...media };
    return (await this.#browser.newContext(options)).newPage();
  }

  /** Takes the page back after the running test, unless the test changed it for longer. */
  lend(page: Page, screen: Screen): void {
    const { origin } = new URL(page.url());
    const context = page.context();
    const watched = [watch(page, lasting.page), watch(context, lasting.context), watch(page.clock, lasting.clock)];
    onTestFinished(async () => {
      const isChanged = watched.map((unwatch) => unwatch()).includes(true);
      const isElsewhere = context.pages().length !== 1 || new URL(page.url()).origin !== origin;
      if (isChanged || isElsewhere) return context.close();
      await clear(page);
      const kind = kindOf(screen);
      this.#idle.set(kind, [...(this.#idle.get(kind) ?? []), page]);
    });
  }
}

/** What cannot be changed on an open page. */
const kindOf = ({ locale, javaScript }: Screen): string => `${locale} ${javaScript}`;

async function clear(page: Page): Promise<void> {
  for (const event of ['pageerror', 'console', 'request']) page.removeAllListeners(event);
  await page.evaluate('sessionStorage.clear(); localStorage.clear(); stop()');
  await page.context().clearCookies();
  await page.mouse.move(0, 0);
}
