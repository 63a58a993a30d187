import { NotHappened } from '../failures.ts';

const hiddenToken = /name="token" value="([^"]*)"/;

/** Closes a pending payment with the page's own form, like a buyer who wants to change something. */
export async function leaveProcessorPage(
  { checkoutUrl, cookies }: { checkoutUrl: string; cookies: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const headers = { accept: 'text/html', 'accept-language': 'en', cookie: cookies.join('; ') };
  const page = await (await fetch(checkoutUrl, { headers, signal })).text();
  const [, token = ''] = hiddenToken.exec(page) ?? [];
  const answer = await fetch(`${checkoutUrl}/change`, {
    method: 'POST',
    body: new URLSearchParams({ token, lang: 'en' }),
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
    signal,
  });
  if (answer.status !== 303) throw new NotHappened(`The payment page could not be left: it answered ${answer.status}.`);
}
