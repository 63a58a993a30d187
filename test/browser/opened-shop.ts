import { afterAll, beforeAll } from 'vitest';
import { type BrowserShop, openBrowserShop, startBrowsing } from './shop.ts';

/** A shop and visitors for the tests of a file: opened before the first test, and stopped after the last one. */
export function openedShop(environment: Readonly<Record<string, string>> = {}) {
  const shop = {} as BrowserShop;
  const browsing = {} as Awaited<ReturnType<typeof startBrowsing>>;
  beforeAll(async () => {
    const [opened, begun] = await Promise.all([openBrowserShop(environment), startBrowsing()]);
    Object.assign(shop, opened);
    Object.assign(browsing, begun);
  });
  afterAll(async () => {
    await browsing.stop?.();
    await shop.stop?.();
  });
  return { shop, browsing };
}
