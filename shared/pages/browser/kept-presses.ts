import { fetchPatiently, isRefused, type Patience } from './patient-fetch.ts';

/**
 * The keys of presses on Pay without an answer, and the token of the form. The browser keeps them for this tab and
 * checkout, so that a reload can ask for the answer. They are not in the page or its address.
 */
interface KeptPresses {
  token: string;
  keys: readonly string[];
}

/** The path of the checkout whose page is open. Undefined on other pages. */
const checkout = /^\/checkout\/\w+/.exec(location.pathname)?.[0];
const place = `presses:${checkout}`;

/** Empty if the browser stores nothing. */
function read(): KeptPresses {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '') as KeptPresses;
  } catch {
    return { token: '', keys: [] };
  }
}

function write(kept: KeptPresses): void {
  try {
    if (kept.keys.length > 0) sessionStorage.setItem(place, JSON.stringify(kept));
    else sessionStorage.removeItem(place);
  } catch {
    // Without storage, a reload shows the page that every browser sees.
  }
}

/** Keeps the key of a press until its answer is there. */
export const keepPress = (token: string, key: string): void =>
  write({ token, keys: [...read().keys.filter((kept) => kept !== key), key] });

/** Forgets a press that was answered. */
export const forgetPress = (key: string): void => {
  const { token, keys } = read();
  write({ token, keys: keys.filter((kept) => kept !== key) });
};

/** Sends a press on Pay until somebody answers. All tries have its key, so the server carries out only one of them. */
export function sendPress(address: string, { key, body }: { key: string; body: string }, patience: Patience) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'hx-request': 'true',
    'idempotency-key': key,
  };
  return fetchPatiently(address, { method: 'POST', headers, body, redirect: 'manual' }, patience);
}

/**
 * Asks for the lost answers on a page without the form. An answer gives this browser the cookies of its payment, so the
 * page is loaded again with the buyer's links. A form without a name pays nothing, so no payment begins here.
 */
export async function askLostAnswers(): Promise<void> {
  const { token, keys } = read();
  if (checkout === undefined || keys.length === 0) return;
  const body = String(new URLSearchParams({ token }));
  for (const key of keys) {
    const answer = await sendPress(`${checkout}/pay`, { key, body }, { tries: 3, onRefusal: () => undefined });
    if (isRefused(answer)) return;
    forgetPress(key);
  }
  location.reload();
}
