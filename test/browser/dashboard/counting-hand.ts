import type { Locator } from 'playwright-core';

/** A hand that counts what it does. */
export function countingHand() {
  const done = { clicks: 0, fields: 0 };
  return {
    done,
    click: async (place: Locator) => {
      done.clicks += 1;
      await place.click({ timeout: 15_000 });
    },
    /** The link of a row lies over the whole row. */
    clickRow: async (row: Locator) => {
      done.clicks += 1;
      await row.locator('td').last().click({ force: true });
    },
    /** A click opens the window of the system, and another one takes the file there. */
    chooseFile: async (place: Locator, path: string) => {
      done.clicks += 2;
      await place.setInputFiles(path);
    },
    fill: async (field: Locator, text: string) => {
      done.fields += 1;
      await field.fill(text);
    },
    choose: async (field: Locator, value: string) => {
      done.fields += 1;
      await field.selectOption(value);
    },
  };
}
